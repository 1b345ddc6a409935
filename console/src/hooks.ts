// Small hooks that views share: loading, following a task, the passing of time.
import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import { DailiesError } from '../../client/src/errors.ts'
import type { Api } from './api.ts'
import type { TaskProgress } from './api-types.ts'
import { mayRepeat, onLoadAgain, useReturns } from './retries.ts'

export interface Loaded<Data> {
  data: Data | null
  problem: DailiesError | null
  reload(): void
}

/**
 * Loads when `keys` change, on `reload`, and every `everyMs` while the page is visible. A slow response is waited for,
 * because loading again would discard it.
 */
export function useLoaded<Data>(load: () => Promise<Data>, keys: unknown[], everyMs?: number): Loaded<Data> {
  const [result, setResult] = useState<{ data: Data | null; problem: DailiesError | null }>({
    data: null,
    problem: null,
  })
  const [round, setRound] = useState(0)
  const isLoading = useRef(false)
  useEffect(() => {
    let current = true
    isLoading.current = true
    load()
      .then(
        (data) => current && setResult({ data, problem: null }),
        (error) => current && setResult((before) => ({ data: before.data, problem: toProblem(error) })),
      )
      .finally(() => {
        if (current) isLoading.current = false
      })
    return () => {
      current = false
    }
  }, [...keys, round])
  const reload = useCallback(() => setRound((before) => before + 1), [])
  useEffect(() => {
    if (everyMs === undefined) return
    const timer = setInterval(() => mayRepeat() && !isLoading.current && reload(), everyMs)
    return () => clearInterval(timer)
  }, [everyMs, reload])
  useEffect(() => onLoadAgain(reload), [reload])
  return { ...result, reload }
}

export function toProblem(error: unknown): DailiesError {
  if (error instanceof DailiesError) return error
  return new DailiesError({ code: 0, message: error instanceof Error ? error.message : 'Something went wrong.' })
}

export { isFinal } from '../../client/src/records.ts'

/** The task's record, kept up to date until it has ended. After an outage it is followed again, however long that was. */
export function useTask(api: Api, taskId: string | null) {
  const [shown, setShown] = useState<{ task: TaskProgress | null; problem: DailiesError | null }>(unknownTask)
  const returns = useReturns()
  useEffect(() => setShown(unknownTask), [api, taskId])
  useEffect(() => {
    if (taskId === null) return
    const stop = new AbortController()
    const onChange = (task: TaskProgress) => !stop.signal.aborted && setShown({ task, problem: null })
    api.follow(taskId, onChange, stop.signal).catch((error) => {
      if (!stop.signal.aborted) setShown((before) => ({ ...before, problem: toProblem(error) }))
    })
    return () => stop.abort()
  }, [api, taskId, returns])
  return shown
}

const unknownTask = { task: null, problem: null }

/** The current time, updated every `everyMs`. */
export function useNow(everyMs: number): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), everyMs)
    return () => clearInterval(timer)
  }, [everyMs])
  return now
}

export interface Action {
  busy: boolean
  problem: DailiesError | null
  run(action: () => Promise<unknown>): Promise<void>
  clear(): void
}

/** Runs one action at a time and keeps what went wrong with the last. */
export function useAction(): Action {
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<DailiesError | null>(null)
  const running = useRef(false)
  return {
    busy,
    problem,
    clear: () => setProblem(null),
    async run(action) {
      if (running.current) return
      running.current = true
      setBusy(true)
      setProblem(null)
      try {
        await action()
      } catch (error) {
        setProblem(toProblem(error))
      } finally {
        running.current = false
        setBusy(false)
      }
    },
  }
}

/** A value once it has stayed the same for a while, for searches that follow what is typed. */
export function useSettled<Value>(value: Value, forMs: number): Value {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), forMs)
    return () => clearTimeout(timer)
  }, [value, forMs])
  return settled
}
