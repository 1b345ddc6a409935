// Says above every view when the service cannot be reached or takes no new work, and when that is over.
import { useEffect, useState } from 'preact/hooks'
import { baseUrl } from './api.ts'
import { useSession } from './session.ts'

const checkMs = { well: 15_000, troubled: 2000 }
const waitMs = 5000

type Trouble = 'offline' | 'maintenance' | null

export function StatusBanner() {
  const { api, isOperator } = useSession()
  const [trouble, setTrouble] = useState<Trouble>(null)
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>
    let current = true
    const look = async () => {
      const found = document.visibilityState === 'visible' ? await findTrouble(api, isOperator) : null
      if (!current) return
      setTrouble(found)
      timer = setTimeout(look, found === null ? checkMs.well : checkMs.troubled)
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
  }, [api, isOperator])
  return (
    <div class="banner-place" role="status">
      {trouble === 'offline' && (
        <p class="banner" data-kind="offline">
          The service cannot be reached. What you see may be out of date; this page keeps trying.
        </p>
      )}
      {trouble === 'maintenance' && (
        <p class="banner" data-kind="maintenance">
          Maintenance: no new videos are taken. Running tasks finish, and everything can be read.
        </p>
      )}
    </div>
  )
}

async function findTrouble(api: ReturnType<typeof useSession>['api'], isOperator: boolean): Promise<Trouble> {
  const signal = AbortSignal.timeout(waitMs)
  const alive = await fetch(`${baseUrl()}/livez`, { signal }).then(
    ({ ok }) => ok,
    () => false,
  )
  if (!alive) return 'offline'
  if (!isOperator) return null
  const status = await api.operatorStatus().catch(() => null)
  return status?.maintenance ? 'maintenance' : null
}
