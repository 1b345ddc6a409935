// An engine that does what the prompt's script says, for tests: it succeeds, fails, stalls, goes silent, crashes and
// reports progress on demand, and makes no video worth watching. A script follows `script:` in the prompt, its steps
// separated by commas: `progress 40, wait 200ms, silent 5s, fail words, refuse words, crash words, die, stall, succeed`.
import { writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import {
  type Engine,
  EngineError,
  type EngineResult,
  type FollowContext,
  type Plan,
} from '../../../src/engines/engine.ts'
import { parseDuration } from '../../../src/platform/durations.ts'

export interface ScriptedEngine extends Engine {
  /** What was asked of it, in order, for tests to look at. */
  readonly log: { call: 'start' | 'follow' | 'cancel'; prompt: string }[]
}

/** Like a generator elsewhere; with `inProcess`, like the studio, whose work ends with the process. */
export function createScriptedEngine({ inProcess = false } = {}): ScriptedEngine {
  const log: ScriptedEngine['log'] = []
  async function start(plan: Plan) {
    log.push({ call: 'start', prompt: plan.prompt })
    return { prompt: plan.prompt }
  }
  return {
    name: 'scripted',
    log,
    ...(inProcess ? {} : { start }),
    async follow(handle, plan, context) {
      log.push({ call: 'follow', prompt: String(handle.prompt ?? plan.prompt) })
      for (const step of stepsOf(plan.prompt)) await play(step, context)
      return writeResult(plan, context)
    },
    async cancel(handle) {
      log.push({ call: 'cancel', prompt: String(handle.prompt) })
    },
  }
}

function stepsOf(prompt: string): string[] {
  const script = /script:([\s\S]*)$/.exec(prompt)?.[1] ?? ''
  return script
    .split(',')
    .map((step) => step.trim())
    .filter((step) => step !== '')
}

async function play(step: string, context: FollowContext): Promise<void> {
  const [verb, ...words] = step.split(' ')
  const rest = words.join(' ')
  switch (verb) {
    case 'progress':
      context.progress(Number(rest))
      return
    case 'wait':
      return alive(parseDuration(rest) ?? 0, context)
    case 'silent':
      await sleep(parseDuration(rest) ?? 0, undefined, { signal: context.signal })
      return
    case 'stall':
      return alive(Number.POSITIVE_INFINITY, context)
    case 'fail':
      throw new EngineError(rest || 'The script said so.', { retryable: false })
    case 'refuse':
      throw new EngineError(rest || 'The script refuses the prompt.', {
        retryable: false,
        reason: 'inappropriate_content',
      })
    case 'stumble':
      throw new EngineError(rest, { retryable: true })
    case 'crash':
      throw new Error(rest || 'the script crashed')
    case 'die':
      process.kill(process.pid, 'SIGKILL')
      return alive(Number.POSITIVE_INFINITY, context)
    case 'succeed':
      return
    default:
      throw new EngineError(`The script has no step "${verb}".`, { retryable: false })
  }
}

/** Waits, and sends heartbeats meanwhile. */
async function alive(ms: number, context: FollowContext): Promise<void> {
  for (let leftMs = ms; leftMs > 0; leftMs -= 100) {
    await sleep(Math.min(100, leftMs), undefined, { signal: context.signal })
    context.progress(0)
  }
}

/** A moving test picture, 36 frames in one second: a real video, because a service in front of this one checks it. */
const oneSecond = fileURLToPath(new URL('scripted.mp4', import.meta.url))

const videos = new Map<string, Promise<Buffer>>()

/** The same frames over any length. */
export async function videoOf(seconds: number, path = oneSecond): Promise<Buffer> {
  const video = videos.get(path) ?? readFile(path)
  videos.set(path, video)
  return stretchMp4(await video, seconds)
}

/** Makes an MP4 of one second last longer, by counting its time in coarser ticks. */
function stretchMp4(bytes: Buffer, seconds: number): Buffer {
  const stretched = Buffer.from(bytes)
  const timescaleAfterType = 16
  for (const box of ['mvhd', 'mdhd']) {
    const at = stretched.indexOf(box) + timescaleAfterType
    stretched.writeUInt32BE(Math.round(stretched.readUInt32BE(at) / seconds), at)
  }
  return stretched
}

/** A part of the file that players skip. */
function freeBox(text: string): Buffer {
  const body = Buffer.from(`free${text}`)
  const size = Buffer.alloc(4)
  size.writeUInt32BE(4 + body.length)
  return Buffer.concat([size, body])
}

async function writeResult(plan: Plan, { workDir }: FollowContext): Promise<EngineResult> {
  const videoPath = join(workDir, 'video.mp4')
  const thumbnailPath = join(workDir, 'thumbnail.jpg')
  const lastFramePath = join(workDir, 'last-frame.jpg')
  // In this thread, which costs the least: benchmarks measure the service with an engine that does next to nothing.
  writeFileSync(videoPath, Buffer.concat([await videoOf(plan.seconds), freeBox(`scripted: ${plan.prompt}`)]))
  writeFileSync(thumbnailPath, Buffer.from([0xff, 0xd8, 0xff, 0xd9]))
  writeFileSync(lastFramePath, Buffer.from([0xff, 0xd8, 0xff, 0xd9]))
  return { videoPath, thumbnailPath, lastFramePath, width: 1280, height: 720, seconds: plan.seconds }
}
