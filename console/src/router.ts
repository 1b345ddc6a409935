// The current place in the console: the part of the address after `#/`. `#/tasks/<id>?x=y` is view `tasks`, id and query.
// Filters and selections are in the query, so that a reload, Back and a copied address keep them.
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'

export interface Place {
  view: string
  id: string | null
  query: URLSearchParams
}

function parsePlace(hash: string): Place {
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split('?')
  const [view = '', id = ''] = path.split('/')
  return { view: view || 'play', id: id === '' ? null : safeDecode(id), query: new URLSearchParams(query) }
}

function safeDecode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

export const linkTo = {
  play: (fromTaskId?: string) => (fromTaskId ? `#/play?from=${encodeURIComponent(fromTaskId)}` : '#/play'),
  tasks: () => '#/tasks',
  task: (taskId: string) => `#/tasks/${encodeURIComponent(taskId)}`,
  /** The form that extends a task, filled in as for the extension that is named. */
  extend: (taskId: string, likeTaskId: string) =>
    `#/tasks/${encodeURIComponent(taskId)}?extend=${encodeURIComponent(likeTaskId)}`,
}

export function usePlace(): Place {
  const [place, setPlace] = useState(() => parsePlace(location.hash))
  useEffect(() => {
    let shown = location.hash.split('?')[0]
    const follow = () => {
      setPlace(parsePlace(location.hash))
      const next = location.hash.split('?')[0]
      if (next !== shown) scrollTo(0, 0)
      shown = next
    }
    addEventListener('hashchange', follow)
    return () => removeEventListener('hashchange', follow)
  }, [])
  return place
}

/** The query of the address, and a way to change some of it without a new entry in the browser's history. */
export function useQuery(): [URLSearchParams, (changes: Record<string, string | null>) => void] {
  const { query } = usePlace()
  const change = useCallback((changes: Record<string, string | null>) => {
    const [path = '#/'] = location.hash.split('?')
    const next = parsePlace(location.hash).query
    for (const [name, value] of Object.entries(changes)) {
      if (value === null || value === '') next.delete(name)
      else next.set(name, value)
    }
    history.replaceState(null, '', next.size > 0 ? `${path}?${next}` : path)
    dispatchEvent(new Event('hashchange'))
  }, [])
  return [query, change]
}

const typingPauseMs = 250

/**
 * The text of a search field, which becomes the query's `q` after a pause. It follows `q` when that changes by other
 * means, such as Back or a link.
 */
export function useSearchText(): [string, (text: string) => void] {
  const [query, setQuery] = useQuery()
  const q = query.get('q') ?? ''
  const [text, setText] = useState(q)
  const searched = useRef(q)
  useLayoutEffect(() => {
    if (q === searched.current) return
    searched.current = q
    setText(q)
  }, [q])
  useLayoutEffect(() => {
    if (text === searched.current) return
    const { view } = parsePlace(location.hash)
    const timer = setTimeout(() => {
      // A link that was followed in the pause may have changed the address and not yet this view.
      const place = parsePlace(location.hash)
      if (place.view !== view || (place.query.get('q') ?? '') !== searched.current) return
      searched.current = text
      setQuery({ q: text })
    }, typingPauseMs)
    return () => clearTimeout(timer)
  }, [text, setQuery])
  return [text, setText]
}

export function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · Dailies`
  }, [title])
}
