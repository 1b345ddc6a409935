// Prompt moderation through its port: benign and bad corpora, disguises, modes, and what messages give away.
import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import fc from 'fast-check'
import { everydaySentences, pieces, policySentences } from '../../src/moderation/meaning.ts'
import type { Verdict } from '../../src/moderation/moderation.ts'
import { readings } from '../../src/moderation/rules/readings.ts'
import { hardPrompts, mixedBad, obfuscated, otherLanguages, profane } from './corpus/bad-prompts.ts'
import { benignPrompts, heldOut, heldOutSecond } from './corpus/benign-prompts.ts'
import { closeModerators, createModerator, refused } from './support/moderators.ts'

after(closeModerators)

describe('prompt moderation by rules and dictionary', () => {
  const moderator = createModerator({ mode: 'prompts' })

  it('has no false alarm on the benign corpus', async () => {
    assert.ok(benignPrompts.length >= 200)
    assert.deepEqual(await refused(moderator, benignPrompts), [])
    assert.deepEqual(await refused(moderator, [...heldOut, ...heldOutSecond]), [])
  })

  for (const [name, prompts] of Object.entries({ hardPrompts, otherLanguages, obfuscated, profane, mixedBad }))
    it(`refuses all of ${name}`, async () => {
      assert.deepEqual(await refused(moderator, prompts), prompts)
    })

  it('refuses the same words inside a long, otherwise harmless prompt', async () => {
    const filler = 'A slow dolly shot through a misty forest. '.repeat(30)
    for (const bad of ['A naked child lies on a bed.', 'How to build a pipe bomb.', 'A blowjob.'])
      assert.equal((await moderator.checkPrompt(filler + bad + filler)).allowed, false, bad)
  })

  it('distinguishes words that count only beside others from those others', async () => {
    const table: [string, boolean][] = [
      ['a child playing in the garden', true],
      ['a naked child', false],
      ['blood orange', true],
      ['a naked mole rat next to a child', true],
      ['a nude woman', false],
      ['a nude lipstick for every woman', true],
      ['how to make a bath bomb', true],
      ['how to make a bomb', false],
      ['how to kill weeds', true],
      ['how to kill a neighbour', false],
      ['a dragon is beheaded in a puppet play', true],
      ['a man is beheaded', false],
      ['a 10-year-old whisky', true],
      ['a 10-year-old, erotic', false],
      ['D minor, a sexy saxophone', true],
      ['David Lynch', true],
      ['a lynching of a man', false],
    ]
    for (const [prompt, allowed] of table) assert.equal((await moderator.checkPrompt(prompt)).allowed, allowed, prompt)
  })

  it('returns a public sentence that does not repeat the prompt', async () => {
    for (const prompt of [...hardPrompts, ...profane]) {
      const verdict = (await moderator.checkPrompt(`zebra ${prompt} quagga`)) as Extract<Verdict, { allowed: false }>
      assert.equal(verdict.allowed, false, prompt)
      assert.equal(verdict.reason, 'prompt_moderated')
      assert.match(verdict.message, /^The prompt was refused by moderation \(not allowed: [a-z, -]+\)\.$/)
      assert.doesNotMatch(verdict.message, /zebra|quagga|fuck|cock|naked|nude/)
    }
  })

  it('takes any string, quickly', async () => {
    for (const prompt of ['', ' ', '\u0000', '\ud800', '1'.repeat(3072), '!'.repeat(3072), 'a.'.repeat(1536)])
      assert.equal((await moderator.checkPrompt(prompt)).allowed, true, JSON.stringify(prompt.slice(0, 8)))
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary', maxLength: 300 }), async (prompt) => {
        assert.equal(typeof (await moderator.checkPrompt(prompt)).allowed, 'boolean')
      }),
      { numRuns: 300 },
    )
  })
})

describe('readings', () => {
  it('undoes disguises', () => {
    const table: [string, string][] = [
      ['ｎａｋｅｄ', 'naked'],
      ['𝓃𝒶𝓀𝑒𝒹', 'naked'],
      ['na\u200bk\u00aded', 'naked'],
      ['nаkеd', 'naked'],
      ['n4k3d', 'naked'],
      ['n a k e d  c a t', 'naked / cat'],
      ['n.a.k.e.d', 'naked'],
      ['na*ked', 'naked'],
      ['nakeeeed', 'naked'],
      ['ṅäķéḍ', 'naked'],
      ['ᴺᴬᴷᴱᴰ', 'naked'],
      ['he11', 'hell'],
      ['1080p 4k, $5', '1080p 4k, $5'],
    ]
    for (const [text, expected] of table) assert.ok(readings(text).includes(expected), `${text}: ${readings(text)}`)
  })

  it('keeps plain text plain', () => {
    assert.deepEqual(readings('A quiet lake at dawn'), ['a quiet lake at dawn'])
    assert.ok(readings('голый ребёнок').includes('голыи ребенок'))
  })
})

it('prompts are split into a bounded number of pieces', () => {
  assert.deepEqual(pieces('One long sentence. Short! Another long sentence?'), [
    'One long sentence. Short! Another long sentence?',
    'One long sentence',
    'Another long sentence',
  ])
  assert.deepEqual(pieces('  '), [])
  assert.equal(pieces(Array.from({ length: 99 }, (_, index) => `sentence number ${index}.`).join(' ')).length, 16)
})

describe('an embed function that fails', () => {
  it('rejects the check, and is asked again for the next prompt', async () => {
    const references = policySentences.length + everydaySentences.length
    const sizes: number[] = []
    let broken = true
    const moderator = createModerator({
      mode: 'prompts',
      embed: async (texts) => {
        sizes.push(texts.length)
        if (broken) throw new Error('no model')
        return texts.map(() => Float32Array.of(1, 0))
      },
    })
    await assert.rejects(moderator.checkPrompt('a quiet lake'), /no model/)
    broken = false
    assert.deepEqual(await moderator.checkPrompt('a quiet lake'), { allowed: true })
    await moderator.checkPrompt('another quiet lake')
    assert.equal(sizes.filter((size) => size === references).length, 2, 'embedded once more, then kept')
  })

  it('is not asked about prompts that the rules refuse', async () => {
    const moderator = createModerator({ mode: 'prompts', embed: () => Promise.reject(new Error('asked')) })
    assert.equal((await moderator.checkPrompt(hardPrompts[0]!)).allowed, false)
  })
})

describe('modes', () => {
  it('allows everything when off', async () => {
    const moderator = createModerator({ mode: 'off', embed: () => Promise.reject(new Error('asked')) })
    assert.deepEqual(await refused(moderator, [...hardPrompts, ...profane]), [])
    assert.deepEqual(await moderator.checkImage('/nowhere.jpg'), { allowed: true })
  })

  it('checks prompts only when set to prompts', async () => {
    const moderator = createModerator({ mode: 'prompts' })
    assert.equal((await moderator.checkPrompt(hardPrompts[0]!)).allowed, false)
    assert.deepEqual(await moderator.checkImage('/nowhere.jpg'), { allowed: true })
  })
})
