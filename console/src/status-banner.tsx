// Says above every view when the service cannot be reached or takes no new work, and when that is over.
import { useEffect, useState } from 'preact/hooks'
import type { ServiceStatus } from '../../client/src/contract.ts'
import { baseUrl } from './api.ts'
import { useSession } from './session.ts'

const checkMs = { well: 15_000, troubled: 2000 }
const waitMs = 5000

export function StatusBanner({ status, onStatus }: { status: ServiceStatus; onStatus(status: ServiceStatus): void }) {
  const { api } = useSession()
  const [offline, setOffline] = useState(false)
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>
    let current = true
    let troubled = false
    const look = async () => {
      if (document.visibilityState === 'visible') {
        const alive = await isAlive()
        const read = alive ? await api.status().catch(() => null) : null
        if (!current) return
        setOffline(!alive)
        if (read) onStatus(read)
        troubled = !alive || read?.maintenance === true
      }
      timer = setTimeout(look, troubled ? checkMs.troubled : checkMs.well)
    }
    timer = setTimeout(look, checkMs.troubled)
    const soon = () => {
      clearTimeout(timer)
      look()
    }
    addEventListener('online', soon)
    addEventListener('offline', soon)
    return () => {
      current = false
      clearTimeout(timer)
      removeEventListener('online', soon)
      removeEventListener('offline', soon)
    }
  }, [api, onStatus])
  return (
    <div class="banner-place" role="status">
      {offline && (
        <p class="banner" data-kind="offline">
          The service cannot be reached. What you see may be out of date; this page keeps trying.
        </p>
      )}
      {!offline && status.maintenance && (
        <p class="banner" data-kind="maintenance">
          Maintenance: no new videos are taken. Running tasks finish, and everything can be read.
        </p>
      )}
    </div>
  )
}

function isAlive(): Promise<boolean> {
  return fetch(`${baseUrl()}/livez`, { signal: AbortSignal.timeout(waitMs) }).then(
    ({ ok }) => ok,
    () => false,
  )
}
