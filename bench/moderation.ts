// Moderation in figures: refused prompts of every group of the corpora, with and without the meaning step, false alarms
// on generated images, time per prompt and per image, memory of the child.   node bench/moderation.ts
//
// What the figures say: false alarms on prompts of our own writing and on drawn pictures. What they do not: recall on
// real images was not measured (there is no corpus of them here), and the groups that rules were tuned on show only
// that nothing has broken; no rule was changed for the groups named `heldOut…`.

import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createEmbedder } from '../src/inference/embeddings/embedder.ts'
import { createModerator, judgeImage, type Moderator } from '../src/moderation/moderation.ts'
import { createModerationChildren } from '../src/moderation/moderation-children.ts'
import { defaultThresholds } from '../src/moderation/thresholds.ts'
import * as bad from '../test/moderation/corpus/bad-prompts.ts'
import { everyday, heldOut, heldOutSecond, mixed, tricky } from '../test/moderation/corpus/benign-prompts.ts'
import { generateImages } from '../test/moderation/fixtures/generated-images.ts'

const onBehalfOf = { caller: { account: 'bench', key: 'bench' } }
const median = (values: number[]) => values.toSorted((a, b) => a - b)[values.length >> 1]!

async function timed<T>(times: number[], work: () => Promise<T>): Promise<T> {
  const startMs = performance.now()
  const result = await work()
  times.push(performance.now() - startMs)
  return result
}

async function benchPrompts() {
  const embedder = createEmbedder()
  const rulesOnly = createModerator({ mode: 'prompts' })
  const withMeaning = createModerator({
    mode: 'prompts',
    embed: async (texts, request) => (await embedder.embed(texts, request)).vectors,
  })
  await withMeaning.checkPrompt('warm up', onBehalfOf)
  const rulesMs: number[] = []
  const meaningMs: number[] = []
  const refused = async (moderator: Moderator, prompts: string[], times: number[]) => {
    let count = 0
    for (const prompt of prompts)
      if (!(await timed(times, () => moderator.checkPrompt(prompt, onBehalfOf))).allowed) count++
    return count
  }
  console.log(`prompts (similarity > ${defaultThresholds.promptSimilarity})   rules+dictionary   with meaning   of`)
  for (const [kind, groups] of Object.entries({ benign: { everyday, tricky, mixed, heldOut, heldOutSecond }, bad }))
    for (const [name, prompts] of Object.entries(groups)) {
      const byRules = await refused(rulesOnly, prompts, rulesMs)
      const byAll = await refused(withMeaning, prompts, meaningMs)
      const cells = [byRules, byAll, prompts.length].map((value) => String(value).padStart(12)).join('')
      console.log(`${kind.padEnd(7)} ${name.padEnd(15)} refused${cells}`)
    }
  console.log(
    `time per prompt: ${median(rulesMs).toFixed(2)} ms by rules, ${median(meaningMs).toFixed(1)} ms with meaning`,
  )
  await Promise.all([embedder.close(), rulesOnly.close(), withMeaning.close()])
}

async function benchImages() {
  const folder = await mkdtemp(join(tmpdir(), 'dailies-bench-'))
  const classifier = createModerationChildren({ slots: 1 })
  const startMs: number[] = []
  const imageMs: number[] = []
  let alarms = 0
  let highest = 0
  const images = generateImages()
  try {
    for (const [index, { name, image }] of images.entries()) {
      const path = join(folder, `${name}.${index % 2 ? 'png' : 'jpg'}`)
      await image.toFile(path)
      const scores = await timed(index === 0 ? startMs : imageMs, () => classifier.scoreImage(path, onBehalfOf))
      highest = Math.max(highest, scores.porn + scores.hentai)
      if (!judgeImage(scores, defaultThresholds.imageExplicit).allowed) {
        alarms++
        console.log(`  false alarm: ${name} ${(scores.porn + scores.hentai).toFixed(3)}`)
      }
    }
    const status = await readFile(`/proc/${classifier.pids()[0]}/status`, 'utf8').catch(() => '')
    console.log(
      `images: ${alarms} of ${images.length} drawn pictures refused, highest porn+hentai ${highest.toFixed(3)}`,
    )
    console.log(`time per image: ${median(imageMs).toFixed(0)} ms, the first with start ${startMs[0]!.toFixed(0)} ms`)
    console.log(`child: ${status.match(/VmHWM:\s+(\d+ kB)/)?.[1] ?? 'unknown'} peak RSS`)
  } finally {
    await classifier.close()
    await rm(folder, { recursive: true })
  }
}

await benchPrompts()
await benchImages()
