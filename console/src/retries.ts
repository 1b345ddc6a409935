// What this page repeats by itself: requests that wait for another attempt, and views that reload periodically. The
// banner shows it, with buttons to retry now or to stop.
import { useEffect, useState } from 'preact/hooks'
import type { Retry } from '../../client/src/transport/attempts.ts'

interface WaitingRetry extends Pick<Retry, 'tryNow' | 'stop'> {
  message: string
  code: number
  atMs: number
}

/** Shorter pauses are over before they could be read. */
const shownFromMs = 1000
const changed = 'dailies:retries'
const back = 'dailies:back'
const lost = 'dailies:lost'

let waiting: readonly WaitingRetry[] = []
let repeating = true

const set = (next: readonly WaitingRetry[]) => {
  waiting = next
  dispatchEvent(new Event(changed))
}

export function noteRetry({ error, delayMs, over, tryNow, stop }: Retry): void {
  if (delayMs < shownFromMs) return
  const entry = { message: error.message, code: error.code, atMs: Date.now() + delayMs, tryNow, stop }
  set([...waiting, entry])
  // What maintenance refused must not wait for longer than it lasts: the banner looks for its end.
  if (error.code === 455) noteTrouble()
  over.then(() => set(waiting.filter((other) => other !== entry)))
}

export function useWaitingRetries(): readonly WaitingRetry[] {
  const [shown, setShown] = useState(waiting)
  useEffect(() => {
    const update = () => setShown(waiting)
    addEventListener(changed, update)
    return () => removeEventListener(changed, update)
  }, [])
  return shown
}

/** Whether views may reload by themselves; not after the user has stopped it. */
export const mayRepeat = () => repeating && document.visibilityState === 'visible'

export function setRepeating(on: boolean): void {
  repeating = on
}

/** Sends what waits because of maintenance, which is over: how long it asked to wait was a guess. */
export function afterMaintenance(): void {
  for (const { code, tryNow } of waiting) if (code === 455) tryNow()
}

/** Has the banner check the service at once: a request got no response, or was refused for now. */
export const noteTrouble = () => dispatchEvent(new Event(lost))

export function onTrouble(check: () => void): () => void {
  addEventListener(lost, check)
  return () => removeEventListener(lost, check)
}

/** Reloads every view at once, after the service was unreachable. */
export const loadAgain = () => dispatchEvent(new Event(back))

/** How often the service has come back: what depends on it is loaded again. */
export function useReturns(): number {
  const [returns, setReturns] = useState(0)
  useEffect(() => onLoadAgain(() => setReturns((before) => before + 1)), [])
  return returns
}

export function onLoadAgain(load: () => void): () => void {
  addEventListener(back, load)
  return () => removeEventListener(back, load)
}
