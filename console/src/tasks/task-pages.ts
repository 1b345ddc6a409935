// The task list as it is loaded: page after page, newest first, filtered by the service, and kept fresh at its top.
import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import type { DailiesError } from '../../../client/src/errors.ts'
import { promptOf, videoUrlOf } from '../../../client/src/records.ts'
import type { Api } from '../api.ts'
import type { TaskRecord, TaskState } from '../api-types.ts'
import { isFinal, toProblem } from '../hooks.ts'
import { mayRepeat, onLoadAgain } from '../retries.ts'

export interface ListFilter {
  state: TaskState | null
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
  loadMore(): void
  remove(taskIds: readonly string[]): void
}

interface Loaded {
  items: TaskItem[]
  cursor: string | null
  more: boolean
}

const nothing: Loaded = { items: [], cursor: null, more: true }

export function useTaskPages(api: Api, filter: ListFilter): TaskPages {
  const [loaded, setLoaded] = useState<Loaded>(nothing)
  const [loading, setLoading] = useState(true)
  const [problem, setProblem] = useState<DailiesError | null>(null)
  const current = useRef<{ loaded: Loaded; stop: AbortController; busy: boolean }>({
    loaded: nothing,
    stop: new AbortController(),
    busy: false,
  })

  const loadMore = useCallback(async () => {
    const run = current.current
    if (run.busy || !run.loaded.more) return
    run.busy = true
    setLoading(true)
    try {
      const { signal } = run.stop
      const page = await api.list({ ...wireFilter(filter), limit: pageSize, signal }).page(run.loaded.cursor)
      if (run !== current.current) return
      const items = page.items.map(itemOf).filter((item) => matches(item, filter))
      run.loaded = {
        items: [...run.loaded.items, ...items],
        cursor: page.nextCursor,
        more: page.nextCursor !== null,
      }
      setLoaded(run.loaded)
      setProblem(null)
    } catch (error) {
      if (!run.stop.signal.aborted) setProblem(toProblem(error))
    } finally {
      run.busy = false
      if (run === current.current) setLoading(false)
    }
  }, [api, filter])

  useEffect(() => {
    current.current = { loaded: nothing, stop: new AbortController(), busy: false }
    const { stop } = current.current
    setLoaded(nothing)
    loadMore()
    const refresh = async () => {
      const run = current.current
      if (!mayRepeat() || run.busy) return
      // Of a first page that could not be loaded there is nothing to refresh.
      if (run.loaded === nothing) return loadMore()
      const fresh = await refreshed(api, filter, run.loaded, stop.signal).catch(() => null)
      if (fresh === null || run !== current.current || run.busy || fresh === run.loaded) return
      run.loaded = fresh
      setLoaded(fresh)
    }
    let timer: ReturnType<typeof setTimeout>
    const again = () => {
      const isBusy = current.current.loaded.items.some((item) => !isFinal(item))
      timer = setTimeout(
        () => refresh().finally(() => !stop.signal.aborted && again()),
        isBusy ? refreshMs.busy : refreshMs.idle,
      )
    }
    again()
    const stopListening = onLoadAgain(refresh)
    return () => {
      stopListening()
      clearTimeout(timer)
      stop.abort()
    }
  }, [api, filter, loadMore])

  const remove = useCallback((taskIds: readonly string[]) => {
    const run = current.current
    run.loaded = { ...run.loaded, items: run.loaded.items.filter(({ taskId }) => !taskIds.includes(taskId)) }
    setLoaded(run.loaded)
  }, [])
  return { items: loaded.items, more: loaded.more, loading, problem, loadMore, remove }
}

function wireFilter(filter: ListFilter) {
  return {
    state: filter.state ?? undefined,
    model: filter.model ?? undefined,
    key: filter.keyId ?? undefined,
    q: filter.text.trim() || undefined,
    since: filter.withinMs === null ? undefined : Date.now() - filter.withinMs,
  }
}

/** New tasks on top, and the current state of those that have not ended. */
async function refreshed(api: Api, filter: ListFilter, loaded: Loaded, signal: AbortSignal): Promise<Loaded> {
  const page = await api.list({ ...wireFilter(filter), limit: pageSize, signal }).page()
  const fresh = new Map(page.items.map((task) => [task.taskId, itemOf(task)]))
  const known = new Set(loaded.items.map(({ taskId }) => taskId))
  // More tasks were created since the last refresh than a page holds. The list starts again: those in between would be
  // missing from it.
  if (page.nextCursor !== null && !page.items.some(({ taskId }) => known.has(taskId))) {
    return { items: [...fresh.values()], cursor: page.nextCursor, more: true }
  }
  const open = loaded.items.filter((item) => !isFinal(item) && !fresh.has(item.taskId)).slice(0, 20)
  for (const { taskId } of open) {
    const task = await api.getTask(taskId, { signal }).catch(() => null)
    if (task) fresh.set(taskId, itemOf(task))
  }
  const added = page.items.map(itemOf).filter((item) => !known.has(item.taskId) && matches(item, filter))
  const changed = loaded.items.some((item) => differs(item, fresh.get(item.taskId)))
  if (added.length === 0 && !changed) return loaded
  const updated = loaded.items.map((item) => fresh.get(item.taskId) ?? item).filter((item) => matches(item, filter))
  return { ...loaded, items: [...added, ...updated] }
}

function differs(item: TaskItem, fresh: TaskItem | undefined): boolean {
  return (
    fresh !== undefined &&
    (fresh.state !== item.state || fresh.progress !== item.progress || fresh.queuePosition !== item.queuePosition)
  )
}

/** Whether a task still belongs to the list after it has changed. */
function matches(item: TaskItem, filter: ListFilter, nowMs = Date.now()): boolean {
  if (filter.state !== null && item.state !== filter.state) return false
  if (filter.model !== null && item.model !== filter.model) return false
  if (filter.withinMs !== null && item.createTime < nowMs - filter.withinMs) return false
  const text = filter.text.trim().toLowerCase()
  return (
    text === '' ||
    item.prompt.toLowerCase().includes(text) ||
    item.taskId.startsWith(text) ||
    item.taskId.endsWith(text)
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
