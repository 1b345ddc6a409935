// A banner above every view: the service cannot be reached, refuses new work, or a request waits for another attempt;
// with the time of the next attempt and buttons to retry now or to stop.
import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import type { ServiceStatus } from '../../../client/src/contract.ts'
import { baseUrl } from '../api.ts'
import { useNow } from '../hooks.ts'
import { afterMaintenance, loadAgain, onTrouble, setRepeating, useWaitingRetries } from '../retries.ts'
import { useSession } from '../session.ts'

const checkMs = { usual: 15_000, trouble: 2000 }
const offlineMsMax = 30_000
const waitMs = 5000

interface Outage {
  /** Attempts since the service was last reached. */
  attempts: number
  /** When the next one is; null while one runs or after they were stopped. */
  nextAtMs: number | null
  stopped: boolean
}

export function StatusBanner({ status, onStatus }: { status: ServiceStatus; onStatus(status: ServiceStatus): void }) {
  const { outage, tryNow, stop } = useOutage(status, onStatus)
  const [retry] = useWaitingRetries()
  return (
    <div class="banner-place" role="status">
      {outage && (
        <p class="banner" data-kind="offline">
          <span>
            The service cannot be reached. What you see may be out of date.{' '}
            {outage.stopped ? 'This page has stopped trying.' : <Countdown atMs={outage.nextAtMs} />}
          </span>
          <span class="row">
            <button type="button" class="button small" onClick={tryNow}>
              Try now
            </button>
            {!outage.stopped && (
              <button type="button" class="button small" onClick={stop}>
                Stop
              </button>
            )}
          </span>
        </p>
      )}
      {!outage && status.maintenance && (
        <p class="banner" data-kind="maintenance">
          Maintenance: no new videos are taken. Running tasks finish, and everything can be read.
        </p>
      )}
      {!outage && retry && (
        <p class="banner" data-kind="retry">
          <span>
            {retry.message} <Countdown atMs={retry.atMs} />
          </span>
          <span class="row">
            <button type="button" class="button small" onClick={retry.tryNow}>
              Try now
            </button>
            <button type="button" class="button small" onClick={retry.stop}>
              Stop
            </button>
          </span>
        </p>
      )}
    </div>
  )
}

/** Not announced every second: the banner around it is a live region. */
function Countdown({ atMs }: { atMs: number | null }) {
  const now = useNow(500)
  if (atMs === null) return <>Trying…</>
  const seconds = Math.max(1, Math.ceil((atMs - now) / 1000))
  return (
    <>
      Trying again <span aria-hidden="true">in {seconds} s</span>
      <span class="visually-hidden">soon</span>.
    </>
  )
}

function useOutage(status: ServiceStatus, onStatus: (status: ServiceStatus) => void) {
  const { api } = useSession()
  const [outage, setOutage] = useState<Outage | null>(null)
  const latest = useRef<Outage | null>(null)
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)
  const round = useRef(0)
  /** Whether the page was hidden since everything was loaded: nothing is reloaded meanwhile, and streams may have ended. */
  const wasHidden = useRef(false)
  const wasMaintained = useRef(status.maintenance)
  const show = useCallback((next: Outage | null) => {
    latest.current = next
    setOutage(next)
  }, [])
  const look = useCallback(async () => {
    clearTimeout(timer.current)
    const mine = ++round.current
    let nextMs = checkMs.usual
    if (document.visibilityState === 'visible') {
      const before = latest.current
      if (before) show({ ...before, nextAtMs: null, stopped: false })
      const alive = await isAlive()
      const read = alive ? await api.status().catch(() => null) : null
      // Another check has begun, or the banner was removed.
      if (mine !== round.current) return
      if (read) onStatus(read)
      if (read && !read.maintenance && wasMaintained.current) afterMaintenance()
      if (read) wasMaintained.current = read.maintenance
      if (alive) {
        nextMs = read?.maintenance ? checkMs.trouble : checkMs.usual
        setRepeating(true)
        if (before || wasHidden.current) loadAgain()
        wasHidden.current = false
        show(null)
      } else {
        const attempts = (before?.attempts ?? 0) + 1
        nextMs = Math.min(offlineMsMax, checkMs.trouble * 2 ** (attempts - 1))
        show({ attempts, nextAtMs: Date.now() + nextMs, stopped: false })
      }
    }
    timer.current = setTimeout(look, nextMs)
  }, [api, onStatus, show])
  useEffect(() => {
    timer.current = setTimeout(look, checkMs.trouble)
    const onVisibility = () => {
      if (document.visibilityState === 'hidden') wasHidden.current = true
      else if (!latest.current?.stopped) look()
    }
    document.addEventListener('visibilitychange', onVisibility)
    addEventListener('online', look)
    addEventListener('offline', look)
    // During an outage the banner keeps its own pace.
    const stopListening = onTrouble(() => latest.current ?? look())
    return () => {
      stopListening()
      round.current++
      clearTimeout(timer.current)
      setRepeating(true)
      document.removeEventListener('visibilitychange', onVisibility)
      removeEventListener('online', look)
      removeEventListener('offline', look)
    }
  }, [look])
  const stop = useCallback(() => {
    round.current++
    clearTimeout(timer.current)
    setRepeating(false)
    show({ attempts: latest.current?.attempts ?? 1, nextAtMs: null, stopped: true })
  }, [show])
  return { outage, tryNow: look, stop }
}

function isAlive(): Promise<boolean> {
  return fetch(`${baseUrl()}/livez`, { signal: AbortSignal.timeout(waitMs) }).then(
    ({ ok }) => ok,
    () => false,
  )
}
