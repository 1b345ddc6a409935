// The program of a render child: takes orders over IPC, one at a time, and answers. It holds all native media code of the
// service, so that a crash in it costs one attempt. It ends with its parent.

import { AV_LOG_ERROR } from 'node-av/constants'
import { Log } from 'node-av/lib'
import sharp from 'sharp'
import { MaterialError } from '../../video/input-error.ts'
import { normalise } from '../../video/normalise/normalise-video.ts'
import { type RenderHooks, render } from './render.ts'
import type { FromChild, ToChild } from './render-order.ts'

class Aborted extends Error {}

const progressEveryMs = 500
let rendering: number | null = null
let aborted = false

function send(message: FromChild): void {
  // The callback swallows the error of a channel that has just closed; `disconnect` ends this process anyway.
  process.send?.(message, undefined, {}, () => {})
}

async function take(message: ToChild): Promise<void> {
  if (message.verb === 'abort') {
    if (message.id === rendering) aborted = true
    return
  }
  const { id, order, threads, depth } = message
  rendering = id
  aborted = false
  let told = 0
  let toldPercent = -1
  sharp.concurrency(threads)
  try {
    const hooks: RenderHooks = {
      threads,
      depth,
      prepared: () => globalThis.gc?.(),
      progress(percent) {
        if (aborted) throw new Aborted('the render was given up')
        const whole = Math.floor(percent)
        if (whole === toldPercent && Date.now() - told < progressEveryMs) return
        told = Date.now()
        toldPercent = whole
        send({ verb: 'progress', id, percent: whole, rssBytes: process.memoryUsage.rss() })
      },
    }
    const result = 'clips' in order ? await normalise(order, hooks) : await render(order, hooks)
    send({ verb: 'done', id, result })
  } catch (error) {
    send({ verb: 'failed', id, message: describe(error), retryable: !(error instanceof MaterialError) })
  } finally {
    rendering = null
  }
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause === undefined ? error.message : `${error.message}: ${describe(error.cause)}`
}

// What FFmpeg says below that is chatter; stderr is kept for the log of a crash.
Log.setLevel(AV_LOG_ERROR)
sharp.cache(false)
process.on('message', (message: ToChild) => void take(message))
process.on('disconnect', () => process.exit())
send({ verb: 'ready' })
