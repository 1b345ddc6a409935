// The current place in the console: the part of the address after `#/`. `#/tasks/<id>?x=y` is view `tasks`, id and query.
// Filters and selections are in the query, so that a reload, Back and a copied address keep them.
import { useCallback, useEffect, useState } from 'preact/hooks'

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
    const next = new URLSearchParams(location.hash.split('?')[1] ?? '')
    for (const [name, value] of Object.entries(changes)) {
      if (value === null || value === '') next.delete(name)
      else next.set(name, value)
    }
    history.replaceState(null, '', next.size > 0 ? `${path}?${next}` : path)
    dispatchEvent(new Event('hashchange'))
  }, [])
  return [query, change]
}

export function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · Dailies`
  }, [title])
}
