// Keeps a fixed number of render children, warm and reused, and gives each request the next free one, first come first
// served. It owns who works when; a child's limits and death are its own file's.

import type { Rendered } from '../../video/rendered.ts'
import { type ChildLimits, type RenderChild, type RenderRequest, startChild } from './render-child.ts'

export interface RenderPool {
  render(request: RenderRequest): Promise<Rendered>
  /** Starts the processes before they are needed. */
  warm(): Promise<void>
  /** Process ids of the children that are up. */
  pids(): number[]
  close(): Promise<void>
}

export interface PoolOptions extends ChildLimits {
  slots: number
  /** A child is replaced after this many renders, whatever it looks like from outside. */
  rendersPerChildMax: number
}

const waitingHeartbeatMs = 5_000

export function createPool(options: PoolOptions): RenderPool {
  const children = new Map<RenderChild, number>()
  const idle: RenderChild[] = []
  const waiting: (() => void)[] = []
  const closing = new AbortController()
  const underWay = new Set<Promise<unknown>>()
  let busy = 0

  async function takeSlot(request: RenderRequest): Promise<void> {
    request.signal.throwIfAborted()
    if (busy < options.slots) {
      busy++
      return
    }
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    waiting.push(resolve)
    const onAbort = () => {
      const at = waiting.indexOf(resolve)
      // Whoever is no longer in the list has the slot already and notices the abort later.
      if (at < 0) return
      waiting.splice(at, 1)
      reject(request.signal.reason)
    }
    request.signal.addEventListener('abort', onAbort, { once: true })
    const heartbeat = setInterval(() => request.progress(0), waitingHeartbeatMs)
    await promise.finally(() => {
      clearInterval(heartbeat)
      request.signal.removeEventListener('abort', onAbort)
    })
  }

  function giveSlot(): void {
    const next = waiting.shift()
    if (next) next()
    else busy--
  }

  async function takeChild(): Promise<RenderChild> {
    for (let child = idle.pop(); child; child = idle.pop()) {
      if (child.alive) return child
      children.delete(child)
    }
    const child = await startChild(options)
    children.set(child, 0)
    return child
  }

  async function giveChild(child: RenderChild): Promise<void> {
    const renders = children.get(child)! + 1
    if (child.alive && renders < options.rendersPerChildMax && !closing.signal.aborted) {
      children.set(child, renders)
      idle.push(child)
      return
    }
    children.delete(child)
    await child.stop()
  }

  async function renderOne(request: RenderRequest): Promise<Rendered> {
    await takeSlot(request)
    try {
      const child = await takeChild()
      try {
        return await child.render(request)
      } finally {
        await giveChild(child)
      }
    } finally {
      giveSlot()
    }
  }

  return {
    async render(request) {
      const work = renderOne({ ...request, signal: AbortSignal.any([request.signal, closing.signal]) })
      underWay.add(work)
      return work.finally(() => underWay.delete(work))
    },
    async warm() {
      const missing = Math.max(0, options.slots - children.size)
      const starts = Array.from({ length: missing }, async () => {
        const child = await startChild(options)
        children.set(child, -1)
        await giveChild(child)
      })
      await Promise.all(starts)
    },
    pids: () => [...children.keys()].filter((child) => child.alive).map((child) => child.pid),
    async close() {
      closing.abort(new Error('the studio is closing'))
      await Promise.all([...children.keys()].map((child) => child.stop()))
      await Promise.allSettled(underWay)
      children.clear()
    },
  }
}
