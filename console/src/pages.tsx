// Lists in pages. `usePages`: the newest page is loaded again and again, and older pages come on demand. `useFirstPages`:
// oldest first, and everything that is shown is loaded again, because any of it may have changed.
import { useEffect, useState } from 'preact/hooks'
import type { Page, Pages } from './api-types.ts'
import { useAction, useLoaded } from './hooks.ts'
import { withNewest } from './listed.ts'

type Listed = { id: string } | { taskId: string }
const idOf = (item: Listed) => ('id' in item ? item.id : item.taskId)

/** `shown` says what is listed: older pages of another list are dropped. */
export function usePages<Item extends Listed>(
  load: (cursor: string | null) => Promise<Page<Item>>,
  shown: string,
  everyMs?: number,
) {
  const newest = useLoaded(async () => ({ shown, page: await load(null) }), [shown], everyMs)
  const [list, setList] = useState(newest.data)
  const action = useAction()
  useEffect(() => {
    const { data } = newest
    if (data === null) return
    setList((before) =>
      before?.shown === data.shown ? { ...data, page: withNewest(before.page, data.page, idOf) } : data,
    )
  }, [newest.data])
  const cursor = list?.page.nextCursor ?? null
  const loadOlder = () =>
    action.run(async () => {
      const { items, nextCursor } = await load(cursor)
      setList((before) => {
        // Meanwhile the list has started again.
        if (before?.page.nextCursor !== cursor) return before
        return { ...before, page: { items: [...before.page.items, ...items], nextCursor } }
      })
    })
  return {
    items: list?.page.items ?? [],
    isLoaded: list !== null,
    problem: newest.problem ?? action.problem,
    reload: newest.reload,
    busy: action.busy,
    loadOlder: cursor === null ? null : loadOlder,
  }
}

export function OlderButton({
  pages,
  what,
}: {
  pages: Pick<ReturnType<typeof usePages>, 'loadOlder' | 'busy'>
  what: string
}) {
  if (pages.loadOlder === null) return null
  return (
    <p class="list-foot">
      <button type="button" class="button" disabled={pages.busy} onClick={pages.loadOlder}>
        Older {what}
      </button>
    </p>
  )
}

export function useFirstPages<Item>(list: () => Pages<Item>, shown: unknown[], everyMs?: number) {
  const [count, setCount] = useState(1)
  const { data, problem, reload } = useLoaded(() => firstPages(list(), count), [...shown, count], everyMs)
  return {
    items: data?.items ?? [],
    isLoaded: data !== null,
    problem,
    reload,
    loadMore: data?.nextCursor ? () => setCount(data.pages + 1) : null,
  }
}

async function firstPages<Item>(list: Pages<Item>, count: number) {
  const items: Item[] = []
  let nextCursor: string | null = null
  let pages = 0
  do {
    const page: Page<Item> = await list.page(nextCursor)
    items.push(...page.items)
    nextCursor = page.nextCursor
    pages++
  } while (nextCursor !== null && pages < count)
  return { items, nextCursor, pages }
}

export function MoreButton({ pages, what }: { pages: { loadMore: (() => void) | null }; what: string }) {
  if (pages.loadMore === null) return null
  return (
    <p class="list-foot">
      <button type="button" class="button" onClick={pages.loadMore}>
        More {what}
      </button>
    </p>
  )
}
