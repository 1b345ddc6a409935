// Lists in pages. `usePages`: the newest page is loaded again and again, and older pages come on demand. `useFirstPages`:
// oldest first, and everything that is shown is loaded again, because any of it may have changed.
import { useState } from 'preact/hooks'
import type { Page, Pages } from './api-types.ts'
import { useAction, useLoaded } from './hooks.ts'

type Listed = { id: string } | { taskId: string }
const idOf = (item: Listed) => ('id' in item ? item.id : item.taskId)

/** `shown` says what is listed: older pages of another list are dropped. */
export function usePages<Item extends Listed>(
  load: (cursor: string | null) => Promise<Page<Item>>,
  shown: string,
  everyMs?: number,
) {
  const first = useLoaded(() => load(null), [shown], everyMs)
  const [older, setOlder] = useState<{ shown: string; page: Page<Item> } | null>(null)
  const action = useAction()
  const tail = older?.shown === shown ? older.page : null
  const known = new Set(first.data?.items.map(idOf))
  const cursor = tail ? tail.nextCursor : (first.data?.nextCursor ?? null)
  const loadOlder = () =>
    action.run(async () => {
      const page = await load(cursor)
      setOlder({ shown, page: { items: [...(tail?.items ?? []), ...page.items], nextCursor: page.nextCursor } })
    })
  return {
    items: [...(first.data?.items ?? []), ...(tail?.items ?? []).filter((item) => !known.has(idOf(item)))],
    isLoaded: first.data !== null,
    problem: first.problem ?? action.problem,
    reload: first.reload,
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
