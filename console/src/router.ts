// Where in the console we are: the part of the address after `#/`. `#/tasks/<id>?x=y` is view `tasks`, id and query.
import { useEffect, useState } from 'preact/hooks'

export interface Place {
  view: string
  id: string | null
  query: URLSearchParams
}

export function parsePlace(hash: string): Place {
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
}

export function usePlace(): Place {
  const [place, setPlace] = useState(() => parsePlace(location.hash))
  useEffect(() => {
    const follow = () => {
      setPlace(parsePlace(location.hash))
      scrollTo(0, 0)
    }
    addEventListener('hashchange', follow)
    return () => removeEventListener('hashchange', follow)
  }, [])
  return place
}
