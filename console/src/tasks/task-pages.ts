// The task list as it is loaded: page after page, newest first, filtered by the service, and kept fresh at its top.
import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import { type DailiesError, NotFound } from '../../../client/src/errors.ts'
import { promptOf, videoUrlOf } from '../../../client/src/records.ts'
import type { Api } from '../api.ts'
import type { Page, TaskRecord } from '../api-types.ts'
import { isFinal, toProblem } from '../hooks.ts'
import { withNewest } from '../listed.ts'
import { mayRepeat, onLoadAgain } from '../retries.ts'
import { shownState } from '../task-facts.ts'

export interface ListFilter {
  state: ReturnType<typeof shownState> | null
  model: string | null
  /** Only tasks younger than this. */
  withinMs: number | null
  text: string
  keyId: string | null
}

/** What a row shows; a hundred thousand of these fit into a page where the records would not. */
export interface TaskItem extends Pick<TaskRecord, ShownField> {
  prompt: string
  credits: number
  videoUrl: string | null
}
type ShownField =
  | ('taskId' | 'model' | 'state' | 'progress' | 'queuePosition')
  | ('createTime' | 'costTime' | 'failMsg' | 'failReason')

const pageSize = 100
/** While tasks are unfinished, and otherwise: each refresh costs a request, and some keys have few. */
const refreshMs = { busy: 2500, idle: 15_000 }

interface TaskPages {
  items: TaskItem[]
  /** Whether older tasks may follow. */
  more: boolean
  loading: boolean
  problem: DailiesError | null
  /** Does nothing while a page is loaded, or after one could not be: the next refresh tries again. */
  loadMore(): void
  /** Looks for changes now, because something was done. */
  refresh(): void
  remove(taskIds: readonly string[]): void
}

/** One list, from its first page on; another filter begins another. */
interface Run {
  /** Null until the first page is there. */
  loaded: Page<TaskItem> | null
  stop: AbortController
  busy: boolean
  /** Whether the next page could not be loaded. */
  failed: boolean
}

const newRun = (): Run => ({ loaded: null, stop: new AbortController(), busy: false, failed: false })

export function useTaskPages(api: Api, filter: ListFilter): TaskPages {
  const [loaded, setLoaded] = useState<Run['loaded']>(null)
  const [loading, setLoading] = useState(true)
  const [problem, setProblem] = useState<DailiesError | null>(null)
  const current = useRef(newRun())
  const refreshNow = useRef<() => void>(() => {})

  const loadNext = useCallback(async () => {
    const run = current.current
    if (run.busy || run.loaded?.nextCursor === null) return
    run.busy = true
    setLoading(true)
    try {
      const { items, nextCursor } = await pageOf(api, filter, run.loaded?.nextCursor ?? null, run.stop.signal)
      if (run !== current.current) return
      run.loaded = { items: [...(run.loaded?.items ?? []), ...items], nextCursor }
      run.failed = false
      setLoaded(run.loaded)
      setProblem(null)
    } catch (error) {
      if (run.stop.signal.aborted) return
      run.failed = true
      setProblem(toProblem(error))
    } finally {
      run.busy = false
      if (run === current.current) setLoading(false)
    }
  }, [api, filter])

  useEffect(() => {
    current.current = newRun()
    const { stop } = current.current
    setLoaded(null)
    const refresh = async () => {
      const run = current.current
      if (!mayRepeat() || run.busy) return
      if (run.loaded === null || run.failed) return loadNext()
      const before = run.loaded
      const fresh = await refreshed(api, filter, before, stop.signal).catch(() => null)
      // Meanwhile more was loaded or something was removed.
      if (fresh === null || run !== current.current || run.loaded !== before) return
      run.loaded = fresh
      setLoaded(fresh)
    }
    let timer: ReturnType<typeof setTimeout> | undefined
    const again = () => {
      clearTimeout(timer)
      if (stop.signal.aborted) return
      const isBusy = current.current.loaded?.items.some((item) => !isFinal(item))
      timer = setTimeout(() => refresh().finally(again), isBusy ? refreshMs.busy : refreshMs.idle)
    }
    loadNext().finally(again)
    refreshNow.current = () => void refresh().finally(again)
    const stopListening = onLoadAgain(refreshNow.current)
    return () => {
      stopListening()
      clearTimeout(timer)
      stop.abort()
    }
  }, [api, filter, loadNext])

  // The views call this whenever they are drawn near the end of the list.
  const loadMore = useCallback(() => {
    if (!current.current.failed) loadNext()
  }, [loadNext])
  const refresh = useCallback(() => refreshNow.current(), [])
  const remove = useCallback((taskIds: readonly string[]) => {
    const run = current.current
    if (run.loaded === null) return
    run.loaded = { ...run.loaded, items: run.loaded.items.filter(({ taskId }) => !taskIds.includes(taskId)) }
    setLoaded(run.loaded)
  }, [])
  return { items: loaded?.items ?? [], more: loaded?.nextCursor !== null, loading, problem, loadMore, refresh, remove }
}

async function pageOf(
  api: Api,
  filter: ListFilter,
  cursor: string | null,
  signal: AbortSignal,
): Promise<Page<TaskItem>> {
  const { state, model, keyId, withinMs } = filter
  const text = filter.text.trim()
  if (isTaskId(text)) return foundById(api, text.toLowerCase(), filter, signal)
  const wanted = {
    state: state ?? undefined,
    model: model ?? undefined,
    key: keyId ?? undefined,
    q: text || undefined,
    since: withinMs === null ? undefined : Date.now() - withinMs,
  }
  const { items, nextCursor } = await api.list({ ...wanted, limit: pageSize, signal }).page(cursor)
  // Among the failed tasks, the service lists canceled ones too.
  return { items: items.map(itemOf).filter((item) => isInState(item, filter)), nextCursor }
}

const isInState = (task: Pick<TaskRecord, 'state' | 'failReason'>, { state }: ListFilter) =>
  state === null || shownState(task) === state

const isTaskId = (text: string) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)

/** The service searches the newest tasks first; one that is named by its whole id is read at once. */
async function foundById(api: Api, taskId: string, filter: ListFilter, signal: AbortSignal) {
  const { model } = filter
  const task = await api.getTask(taskId, { signal }).catch((error) => {
    if (error instanceof NotFound) return null
    throw error
  })
  const fits = task && isInState(task, filter) && (model ?? task.model) === task.model
  return { items: fits ? [itemOf(task)] : [], nextCursor: null }
}

/** New tasks on top, without those that were deleted, and with the current state of those that have not ended. */
async function refreshed(api: Api, filter: ListFilter, loaded: Page<TaskItem>, signal: AbortSignal) {
  const newest = await pageOf(api, filter, null, signal)
  const { items, nextCursor } = withNewest(loaded, newest, ({ taskId }) => taskId)
  const onPage = new Set(newest.items.map(({ taskId }) => taskId))
  const open = items.filter((item) => !isFinal(item) && !onPage.has(item.taskId)).slice(0, 20)
  const fresh = new Map<string, TaskItem>()
  for (const { taskId } of open) {
    const task = await api.getTask(taskId, { signal }).catch(() => null)
    if (task) fresh.set(taskId, itemOf(task))
  }
  const current = items.map((item) => fresh.get(item.taskId) ?? item).filter((item) => isInState(item, filter))
  const isSame = current.length === loaded.items.length && !current.some((item, i) => differs(item, loaded.items[i]!))
  return isSame ? loaded : { items: current, nextCursor }
}

function differs(item: TaskItem, other: TaskItem): boolean {
  return (
    item.taskId !== other.taskId ||
    item.state !== other.state ||
    item.progress !== other.progress ||
    item.queuePosition !== other.queuePosition
  )
}

export function itemOf(task: TaskRecord): TaskItem {
  return {
    taskId: task.taskId,
    model: task.model,
    state: task.state,
    prompt: promptOf(task).slice(0, 3000),
    progress: task.progress,
    queuePosition: task.queuePosition,
    credits: task.creditsConsumed,
    createTime: task.createTime,
    costTime: task.costTime,
    failMsg: task.failMsg,
    failReason: task.failReason,
    videoUrl: videoUrlOf(task),
  }
}
