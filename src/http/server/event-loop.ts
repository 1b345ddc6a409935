// Keeps the event loop free: requests that arrive together are spread, long work takes turns, new work is refused under load.
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { slots } from '../../limits/table.ts'
import { clientAddress } from './connections/request-origin.ts'
import type { LoopShare } from './loop-share.ts'

/** For the requests of one turn. */
const turnMs = 10

/** When hundreds of connections have a request at once, Node would begin all in one turn, and timers would wait for it. */
export function spreadRequests(serve: RequestListener): RequestListener {
  const waiting: [IncomingMessage, ServerResponse][] = []
  /** Null before the first request of a turn. */
  let endsAt: number | null = null

  function begin(): number {
    setImmediate(end)
    endsAt = performance.now() + turnMs
    return endsAt
  }

  function end(): void {
    endsAt = null
    if (waiting.length === 0) return
    const until = begin()
    while (waiting.length > 0 && performance.now() < until) {
      const [request, response] = waiting.shift()!
      // The client has left.
      if (!request.socket.destroyed) serve(request, response)
    }
  }

  return (request, response) => {
    const until = endsAt ?? begin()
    if (waiting.length > 0 || performance.now() >= until) waiting.push([request, response])
    else serve(request, response)
  }
}

/** What it costs to read a body from its connection, and to collect what was read. */
const msPerByte = 2.5e-6

/** Gives each request turns on behalf of its caller; a client without a key counts by its address. */
export function shareTurns(server: FastifyInstance, loopShare: LoopShare): void {
  server.decorateRequest('nextTurn', function (this: FastifyRequest, bytesRead = 0) {
    const caller = this.caller ?? { accountId: `address ${clientAddress(this)}`, keyId: '' }
    if (bytesRead > 0) loopShare.charge(caller.accountId, bytesRead * msPerByte)
    return loopShare.turn(caller)
  })
}

/** Decides when new work must be refused: too many admissions are waiting, or the event loop lags. */
export interface LoadShedder {
  overloaded(): boolean
  stop(): void
}

const { waitingMax, lagMsMax } = slots.newWork.of
const sampleMs = 250
/** A single long turn is not overload: the loop must be late several times in a row. */
const samplesKept = 4

export function createLoadShedder(pending: () => number): LoadShedder {
  const lagsMs: number[] = Array(samplesKept).fill(0)
  let expected = performance.now() + sampleMs
  const timer = setInterval(() => {
    const now = performance.now()
    lagsMs.shift()
    lagsMs.push(now - expected)
    expected = now + sampleMs
  }, sampleMs)
  timer.unref()
  return {
    overloaded: () => pending() > waitingMax || Math.min(...lagsMs) > lagMsMax,
    stop: () => clearInterval(timer),
  }
}
