// The last runs of this browser, newest first: their ids are kept here, their records are read from the service.
import { useCallback, useEffect, useState } from 'preact/hooks'
import type { TaskRecord } from '../../api-types.ts'
import { isFinal, toProblem } from '../../hooks.ts'
import { mayRepeat } from '../../retries.ts'
import { useSession } from '../../session.ts'

const storageKey = 'dailies-recent'
const keptMax = 24
const refreshMs = 2000

export interface Recent {
  ids: string[]
  tasks: ReadonlyMap<string, TaskRecord>
  add(taskId: string): void
}

export function useRecent(): Recent {
  const { api } = useSession()
  const [ids, setIds] = useState(readIds)
  const [tasks, setTasks] = useState<ReadonlyMap<string, TaskRecord>>(new Map())
  // Deleted, or another key's, with which the browser may sign in again: those ids stay stored.
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set())
  const add = useCallback((id: string) => {
    setIds((before) => {
      const after = [id, ...before.filter((other) => other !== id)].slice(0, keptMax)
      localStorage.setItem(storageKey, JSON.stringify(after))
      return after
    })
  }, [])
  const shown = ids.filter((id) => !hidden.has(id))
  const open = shown.filter((id) => !tasks.has(id) || !isFinal(tasks.get(id)!)).join()
  useEffect(() => {
    if (open === '') return
    const stop = new AbortController()
    const look = async () => {
      for (const id of open.split(',')) {
        try {
          const task = await api.getTask(id, { signal: stop.signal })
          if (!stop.signal.aborted) setTasks((before) => new Map(before).set(id, task))
        } catch (error) {
          if (!stop.signal.aborted && toProblem(error).code === 404) setHidden((before) => new Set(before).add(id))
        }
      }
    }
    let timer: ReturnType<typeof setTimeout> | undefined
    // Each round is waited for: on a slow service, rounds would pile up.
    const again = () => {
      if (stop.signal.aborted) return
      timer = setTimeout(() => (mayRepeat() ? look().finally(again) : again()), refreshMs)
    }
    look().finally(again)
    return () => {
      clearTimeout(timer)
      stop.abort()
    }
  }, [api, open])
  return { ids: shown, tasks, add }
}

function readIds(): string[] {
  try {
    const ids: unknown = JSON.parse(localStorage.getItem(storageKey) ?? '[]')
    return Array.isArray(ids) ? ids.filter((id): id is string => typeof id === 'string').slice(0, keptMax) : []
  } catch {
    return []
  }
}
