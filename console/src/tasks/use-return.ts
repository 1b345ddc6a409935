// Back from a task leads to the part of the list that was left. The browser cannot do that itself: when it would scroll,
// the list is empty.
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'

/** Kept with the list's entry in the browser's history. */
interface LeftAt {
  items: number
  scrollPx: number
}

interface Pages {
  items: readonly unknown[]
  more: boolean
  loading: boolean
  loadMore(): void
}

/** Loads as many items as there were, then scrolls. Returns what to call when a task is opened from the list. */
export function useReturn({ items, more, loading, loadMore }: Pages): () => void {
  const leftAt = useRef(history.state as LeftAt | null)
  const isComplete = items.length >= (leftAt.current?.items ?? 0) || (items.length > 0 && !more)
  useEffect(() => {
    if (!isComplete && !loading) loadMore()
  }, [isComplete, loading, loadMore])
  useLayoutEffect(() => {
    if (!isComplete || leftAt.current === null) return
    scrollTo(0, leftAt.current.scrollPx)
    leftAt.current = null
    // Once only: a reload later must not lead back here from where the reader is by then.
    history.replaceState(null, '')
  }, [isComplete])
  return () => history.replaceState({ items: items.length, scrollPx: scrollY } satisfies LeftAt, '')
}
