// The small picture of a task. The list's records do not carry it, so a row that is on the screen asks for its own,
// once.
import { useEffect, useState } from 'preact/hooks'
import type { Api } from '../api.ts'
import type { TaskState } from '../api-types.ts'
import { localFileUrl } from '../format.ts'
import { PictureIcon } from '../ui/icons.tsx'
import { thumbnailOf } from './video-player.tsx'

export type Thumbnails = Map<string, string | null>

export function Thumbnail(props: { api: Api; taskId: string; state: TaskState; known: Thumbnails }) {
  const { api, taskId, state, known } = props
  const id = `${taskId} ${state}`
  const [url, setUrl] = useState<string | null>(known.get(id) ?? null)
  useEffect(() => {
    if (known.has(id)) {
      setUrl(known.get(id) ?? null)
      return
    }
    const stop = new AbortController()
    // A row that is scrolled past quickly requests nothing.
    const timer = setTimeout(async () => {
      const video = await api.getVideo(taskId, { signal: stop.signal }).catch(() => null)
      if (!video) return
      const gone = video.expireFlag === 1
      const found = gone ? null : (thumbnailOf(video) ?? localFileUrl(video.generateParam.imageUrl))
      known.set(id, found)
      setUrl(found)
    }, 120)
    return () => {
      clearTimeout(timer)
      stop.abort()
    }
  }, [api, id, taskId, known])
  return (
    <span class="thumb">
      {url ? <img src={url} alt="" loading="lazy" onError={() => setUrl(null)} /> : <PictureIcon />}
    </span>
  )
}
