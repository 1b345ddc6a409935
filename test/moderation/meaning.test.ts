// Prompt moderation by meaning, with the model of the service: what it refuses and lets pass beyond the rules.
import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { createEmbedder } from '../../src/inference/embeddings/embedder.ts'
import type { Embed } from '../../src/moderation/meaning.ts'
import { byMeaning } from './corpus/bad-prompts.ts'
import { benignPrompts } from './corpus/benign-prompts.ts'
import { closeModerators, createModerator, refused } from './support/moderators.ts'

after(closeModerators)

describe('prompt moderation by meaning', () => {
  const embedder = createEmbedder()
  after(() => embedder.close())
  // Kept, because every moderator has the same sentences of the policy embedded, which takes a second.
  const embedded = new Map<string, Promise<Float32Array[]>>()
  const embed: Embed = (texts, request) => {
    const vectors = embedded.get(texts.join('\n')) ?? embedder.embed(texts, request).then(({ vectors: found }) => found)
    embedded.set(texts.join('\n'), vectors)
    return vectors
  }

  it('refuses what has no forbidden word, and lets the benign corpus pass', async () => {
    const moderator = createModerator({ mode: 'on', embed })
    assert.deepEqual(await refused(moderator, byMeaning), byMeaning)
    assert.deepEqual(await refused(moderator, benignPrompts), [])
  })

  it('sees one bad sentence among many harmless ones', async () => {
    const moderator = createModerator({ mode: 'prompts', embed })
    const harmless = 'A lake at dawn. Birds rise from the reeds. The camera follows them over the trees. '
    assert.equal((await moderator.checkPrompt(harmless)).allowed, true)
    assert.equal((await moderator.checkPrompt(`${harmless}${byMeaning[1]}. ${harmless}`)).allowed, false)
  })

  it('takes the threshold from its settings', async () => {
    const lax = createModerator({ mode: 'prompts', embed, thresholds: { promptSimilarity: 1 } })
    assert.equal((await lax.checkPrompt(byMeaning[1]!)).allowed, true)
  })
})
