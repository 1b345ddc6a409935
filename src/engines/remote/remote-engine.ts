// An engine on top of a generator that makes single clips: it has the shots made one by one, joins and normalises them,
// and adds sound.
// Each clip's handle is stored before waiting for it, so that every clip is found again after a crash.
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { sha256Hex } from '../../platform/ids.ts'
import type { ClipFile } from '../../video/normalise/normalise-plan.ts'
import { outputSize } from '../../video/picture/output-size.ts'
import type { Engine, EngineContext, FollowContext, Handle, Plan } from '../engine.ts'
import { clipList, type PlannedClip } from './clip-list.ts'
import { remoteFailure, submissionFailure } from './failures.ts'
import type { ClipPlan, Generator, RawClip } from './generator.ts'
import type { InputImages } from './input-images.ts'
import { type Normaliser, normaliseBase } from './normaliser.ts'
import { poll, whileBusy } from './poll.ts'

interface RemoteEngineOptions {
  generator: Generator
  normaliser: Normaliser
  images: InputImages
  settings: { shotsFrom: 'previous' | 'first'; pollEvery: number; jobTime: number }
  /** Aborts when this process stops. */
  stopping?: AbortSignal | undefined
}

/** The generator's share of the progress; the rest is the conversion. */
const generatorShare = 0.9

/** The same for a repeat after a crash. A clip that begins where another ends must not repeat its noise. */
function seedOf({ seed }: Plan, { submission }: EngineContext, index: number): number {
  const first = seed ?? Number.parseInt(sha256Hex(submission).slice(0, 8), 16)
  return (first + index) % 2 ** 32
}

export function createRemoteEngine(options: RemoteEngineOptions): Engine {
  const { generator, normaliser, images, settings, stopping } = options
  const { name } = generator

  async function clipPlan(
    plan: Plan,
    clips: PlannedClip[],
    index: number,
    context: FollowContext,
    previousFrame: string | null,
  ): Promise<ClipPlan> {
    const clip = clips[index]!
    const firstPath = await context.localPath(plan.firstFrame.file)
    const { width = 16, height = 9 } = plan.firstFrame
    return {
      prompt: clip.prompt,
      negativePrompt: plan.negativePrompt,
      seconds: clip.seconds,
      ...outputSize(plan.size, { width, height }),
      firstFramePath: clip.from === 'previous' && previousFrame !== null ? previousFrame : firstPath,
      lastFramePath: clip.endsInLast && plan.lastFrame ? await context.localPath(plan.lastFrame.file) : null,
      seed: seedOf(plan, context, index),
      submission: `${context.submission}-${index}`,
    }
  }

  async function lastFrameOf(clip: ClipFile, plan: Plan, context: FollowContext, workDir: string): Promise<string> {
    const stills = { ...normaliseBase(plan), workDir, clips: [clip], mode: 'stills' as const }
    const run = () => normaliser.run(name, stills, { signal: context.signal, progress: () => {} })
    const { lastFramePath } = await (context.locally?.(run) ?? run())
    return lastFramePath
  }

  async function submit(clip: ClipPlan, context: FollowContext): Promise<Handle> {
    try {
      const { signal, progress, waiting } = context
      return await generator.submit(clip, {
        signal,
        image: (path, size) => images.convert(path, size, context),
        whileBusy: (submission) =>
          whileBusy(submission, { engine: name, settings, signal, progress, waiting, stopping }),
      })
    } catch (error) {
      throw submissionFailure(name, error)
    }
  }

  const clipsOf = (plan: Plan) => clipList(plan, { secondsMax: generator.secondsMax, shotsFrom: settings.shotsFrom })

  return {
    name,
    abilities: generator.abilities,
    async start(plan, context) {
      const first = await clipPlan(plan, clipsOf(plan), 0, context, null)
      return handleOf([await submit(first, context)])
    },
    async follow(handle, plan, context) {
      const clips = clipsOf(plan)
      const jobs = jobsOf(handle)
      const raws: RawClip[] = []
      const { signal } = context
      let previousFrame: string | null = null
      try {
        for (const [i, clip] of clips.entries()) {
          const workDir = join(context.workDir, `clip-${i}`)
          await mkdir(workDir, { recursive: true })
          if (jobs[i] === undefined) {
            const planned = await clipPlan(plan, clips, i, context, previousFrame)
            jobs.push(await submit(planned, context))
            await context.keep(handleOf(jobs))
          }
          const progress = (percent: number) =>
            context.progress(((i + percent / 100) / clips.length) * generatorShare * 100)
          const raw = await generator.follow(jobs[i]!, {
            workDir,
            signal,
            poll: (ask, overdue) => poll(ask, { engine: name, settings, signal, stopping, progress, overdue }),
          })
          raws.push(raw)
          if (clips[i + 1]?.from === 'previous') {
            const { seconds } = clip
            previousFrame = await lastFrameOf({ ...raw, seconds }, plan, context, workDir)
          }
        }
        const soundPaths = await Promise.all(
          plan.elements.flatMap(({ audio }) => audio.map(({ file }) => context.localPath(file))),
        )
        const encode = () =>
          normaliser.run(
            name,
            {
              ...normaliseBase(plan),
              workDir: context.workDir,
              clips: raws.map((raw, i) => ({ ...raw, seconds: clips[i]!.seconds })),
              soundPaths,
              mode: 'encode',
            },
            {
              signal,
              progress: (percent) => context.progress(100 * generatorShare + percent * (1 - generatorShare)),
            },
          )
        return await (context.locally?.(encode) ?? encode())
      } catch (error) {
        throw remoteFailure(name, error)
      }
    },
    async cancel(handle) {
      await Promise.all(jobsOf(handle).map((job) => generator.cancel(job)))
    },
    async discard(handle) {
      await Promise.all(jobsOf(handle).map((job) => generator.discard?.(job)))
    },
    inspect: async (signal) => (await generator.inspect?.(signal)) ?? [],
    probe: (signal) => generator.probe(signal),
    close: () => generator.close(),
  }
}

/** A handle is flat, and there may be several jobs. */
const handleOf = (jobs: Handle[]): Handle => ({ jobs: JSON.stringify(jobs) })
const jobsOf = (handle: Handle): Handle[] => JSON.parse(String(handle.jobs))
