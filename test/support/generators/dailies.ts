// A second real service as upstream, whose engine does what a test says, at the end of a line that a test can cut.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { type Engine, EngineError } from '../../../src/engines/engine.ts'
import { videoOf } from '../engines/scripted.ts'
import { jpeg } from '../files/image-files.ts'
import { startService } from '../service/service.ts'
import type { Result, StandIn } from './stand-in.ts'
import { startSwitchableProxy } from './switchable-proxy.ts'

const frozen = fileURLToPath(new URL('frozen.mp4', import.meta.url))
const emptyJpeg = Buffer.from([0xff, 0xd8, 0xff, 0xd9])

export async function startDailies(): Promise<StandIn> {
  let mode: 'hold' | 'finish' | 'fail' = 'hold'
  let percent = 0
  let kind: Result = 'video'
  let canceled = 0
  let started = 0
  // Under this name no input files are fetched: the service has them itself.
  const engine: Engine = {
    name: 'scripted',
    async start() {
      started++
      return { started: true }
    },
    async follow(_handle, plan, { workDir, signal, progress }) {
      while (mode === 'hold') {
        progress(percent)
        await sleep(20, undefined, { signal })
      }
      if (mode === 'fail') throw new EngineError('out of memory', { retryable: false })
      const [videoPath, thumbnailPath, lastFramePath] = ['v.mp4', 't.jpg', 'l.jpg'].map((name) => join(workDir, name))
      await writeFile(videoPath!, await bytesOf(kind, plan.seconds))
      await writeFile(thumbnailPath!, emptyJpeg)
      await writeFile(lastFramePath!, emptyJpeg)
      return {
        videoPath: videoPath!,
        thumbnailPath: thumbnailPath!,
        lastFramePath: lastFramePath!,
        width: 32,
        height: 18,
        seconds: plan.seconds,
      }
    },
    async cancel() {
      canceled++
    },
  }
  const proxy = await startSwitchableProxy()
  const service = await startService({ DAILIES_PUBLIC_URL: proxy.url }, { engine })
  proxy.to(Number(new URL(service.url).port))
  return {
    ...proxy,
    jobs: new Map(),
    quirks: new Set(),
    requests: [],
    submissions: () => started,
    canceled: () => canceled,
    set: (next) => {
      mode = next
    },
    percent: (next) => {
      percent = next
    },
    results: (next) => {
      kind = next
    },
    forget: async () => {
      await service.app.db.run('delete from jobs')
      await service.app.db.run('delete from tasks')
    },
    async close() {
      await proxy.down()
      mode = 'fail'
      await service.stop()
    },
  }
}

async function bytesOf(kind: Result, seconds: number): Promise<Buffer> {
  if (kind === 'video') return videoOf(seconds)
  if (kind === 'short') return videoOf(1.3)
  if (kind === 'still') return jpeg(64, 36)
  if (kind === 'frozen') return videoOf(seconds, frozen)
  if (kind === 'nothing') return Buffer.alloc(0)
  if (kind === 'html') return Buffer.from('<!doctype html><title>Sign in</title>')
  return Buffer.alloc(kind === 'garbage' ? 2000 : 3 * 2 ** 20, 7)
}
