// The built-in engine: a procedural renderer that animates the given pictures (camera, relief, effects, morph, cuts, sound).
// It owns the way from a plan to a render plan; rendering happens in child processes.

import { availableParallelism } from 'node:os'
import { framesPerSecond } from '../../video/av/timing.ts'
import type { Engine, EngineContext, InputFile, Plan } from '../engine.ts'
import { rest } from './camera/momentum.ts'
import { explainPrompt } from './prompt/explain.ts'
import type { LocalFile, RenderPlan } from './render-plan.ts'
import { createRenderPool } from './render-pool.ts'

export interface StudioOptions {
  /** How many videos are rendered at once, each in a process of its own. */
  slots: number
  /** Encoder threads of each; by default the cores are shared out between the slots. */
  threadsPerSlot?: number
  /** Whether depth, subjects and faces are looked for (default true). */
  depth?: boolean
  /** Path of a depth network to use instead of the bundled one. */
  depthModel?: string | null
  /** Resident memory a render may reach before it is stopped. */
  rssBytesMax?: number
  renderMsMax?: number
  abortMsMax?: number
  startMsMax?: number
  rendersPerChildMax?: number
}

export interface Studio extends Engine {
  /** Starts the render processes, so that the first video need not wait for one. */
  warm(): Promise<void>
  /** Process ids of the render children that are up. */
  pids(): number[]
  close(): Promise<void>
}

export function createStudio(options: StudioOptions): Studio {
  const threads = options.threadsPerSlot ?? Math.max(1, Math.round(availableParallelism() / options.slots))
  const depth = options.depth ?? true
  const pool = createRenderPool({
    slots: options.slots,
    rssBytesMax: options.rssBytesMax ?? 1_500_000_000,
    renderMsMax: options.renderMsMax ?? 20 * 60_000,
    abortMsMax: options.abortMsMax ?? 700,
    startMsMax: options.startMsMax ?? 30_000,
    rendersPerChildMax: options.rendersPerChildMax ?? 200,
  })
  return {
    name: 'studio',
    // Rendering starts over after a crash, so there is nothing to find again.
    async follow(_handle, plan, context) {
      const rendered = { ...(await renderPlan(plan, context)), depthModel: options.depthModel ?? null }
      const prompt = wholePrompt(plan)
      context.understood?.(explainPrompt(prompt, plan.negativePrompt))
      const result = await pool.run({ plan: rendered, threads, depth }, context)
      // Only the pictures show whether there are clouds or leaves to move, and elements to cut out.
      const { frames: _, missed = [], leftOut = [], cpuSeconds: __, ...made } = result
      if (missed.length + leftOut.length > 0) {
        const read = explainPrompt(prompt, plan.negativePrompt, missed)
        context.understood?.({ ...read, notDone: [...read.notDone, ...leftOut] })
      }
      return { ...made, fps: framesPerSecond, codec: 'h264' }
    },
    explain: (prompt, negativePrompt) => explainPrompt(prompt, negativePrompt),
    cancel: async () => {},
    warm: () => pool.warm(),
    pids: () => pool.pids(),
    close: () => pool.close(),
  }
}

/** What all shots of a plan say. */
function wholePrompt({ prompt, shots }: Plan): string {
  return shots.length > 0 ? shots.map((shot) => shot.prompt).join('. ') : prompt
}

async function renderPlan(plan: Plan, context: EngineContext): Promise<RenderPlan> {
  const fileOf = async ({ file, kind }: InputFile): Promise<LocalFile> => {
    return { path: await context.localPath(file), kind }
  }
  const { prompt, negativePrompt, guidance, seed, seconds, size, shots, planShots, audio } = plan
  return {
    prompt,
    negativePrompt,
    guidance,
    ...(seed !== undefined && { seed }),
    seconds,
    size,
    shots,
    planShots,
    audio,
    workDir: context.workDir,
    firstFrame: await fileOf(plan.firstFrame),
    lastFrame: plan.lastFrame && (await fileOf(plan.lastFrame)),
    ...(plan.momentum && { momentum: { ...rest, ...plan.momentum } }),
    ...(plan.wideFrame && { wideFrame: { ...(await fileOf(plan.wideFrame.image)), area: plan.wideFrame.area } }),
    elements: await Promise.all(
      plan.elements.map(async ({ name, material, audio }) => ({
        name,
        ...windowOf(material),
        files: await Promise.all(material.map(fileOf)),
        audio: await Promise.all(audio.map(fileOf)),
      })),
    ),
  }
}

/** An element plays its first video, so that one's window counts. */
function windowOf(files: InputFile[]): { startMs: number; endMs: number | null } {
  const video = files.find(({ kind }) => kind === 'video')
  return { startMs: video?.startMs ?? 0, endMs: video?.endMs ?? null }
}
