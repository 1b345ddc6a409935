// Back from a task leads to the part of the list that was left, and to the link that led away. The browser cannot do that
// itself: when it would scroll, the list is empty.
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'

/** Kept with the list's entry in the browser's history. */
interface LeftAt {
  taskId: string
  items: number
  scrollPx: number
}

interface Pages {
  items: readonly unknown[]
  more: boolean
  loading: boolean
  loadMore(): void
}

export interface Return {
  /** To be called when a task is opened from the list. */
  leave(taskId: string): void
  /** For the links of the list: gives the one that led away the focus again. */
  linkRef(taskId: string): ((link: HTMLElement | null) => void) | undefined
}

/** Loads as many items as there were, then scrolls. */
export function useReturn({ items, more, loading, loadMore }: Pages): Return {
  const leftAt = useRef(history.state as LeftAt | null)
  const [returnedTo, setReturnedTo] = useState<string | null>(null)
  const isComplete = items.length >= (leftAt.current?.items ?? 0) || (items.length > 0 && !more)
  useEffect(() => {
    if (!isComplete && !loading) loadMore()
  }, [isComplete, loading, loadMore])
  useLayoutEffect(() => {
    if (!isComplete || leftAt.current === null) return
    const { scrollPx, taskId } = leftAt.current
    scrollTo(0, scrollPx)
    setReturnedTo(taskId)
    leftAt.current = null
    // Once only: a reload later must not lead back here from where the reader is by then.
    history.replaceState(null, '')
  }, [isComplete])
  const focus = useCallback((link: HTMLElement | null) => {
    if (link === null) return
    setReturnedTo(null)
    // Not while the reader already does something else.
    if (document.activeElement?.matches('body, main')) link.focus({ preventScroll: true })
  }, [])
  return {
    leave: (taskId) => history.replaceState({ taskId, items: items.length, scrollPx: scrollY } satisfies LeftAt, ''),
    linkRef: (taskId) => (taskId === returnedTo ? focus : undefined),
  }
}
