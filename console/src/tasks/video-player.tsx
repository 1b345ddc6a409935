// The finished video: its player, its addresses for downloads and posters, and when it expires.
import { useEffect, useState } from 'preact/hooks'
import { videoUrlOf } from '../../../client/src/records.ts'
import type { TaskRecord, VideoRecord } from '../api-types.ts'
import { formatDuration, localFileUrl } from '../format.ts'
import { useNow } from '../hooks.ts'

const videoTtlMs = 14 * 86_400_000

export function VideoPlayer({ task, poster }: { task: TaskRecord; poster?: string | null }) {
  const url = videoUrlOf(task)
  if (!url) return null
  return (
    <video
      class="video"
      key={url}
      src={localFileUrl(url) ?? url}
      poster={poster ?? undefined}
      controls
      autoplay
      muted
      loop
      playsInline
      aria-label="The video"
    />
  )
}

/** When the video expires: by the header of its file, else after the default fourteen days. */
export function useExpiry(task: TaskRecord | null): number | null {
  const url = task && videoUrlOf(task)
  const completeTime = task?.completeTime ?? null
  const [expiry, setExpiry] = useState<number | null>(null)
  useEffect(() => {
    setExpiry(null)
    const local = url && localFileUrl(url)
    if (!local || completeTime === null) return
    const stop = new AbortController()
    fetch(local, { method: 'HEAD', signal: stop.signal })
      .then((response) => {
        if (response.status === 404) return 0
        const atMs = Date.parse(response.headers.get('expires') ?? '')
        return Number.isNaN(atMs) ? completeTime + videoTtlMs : atMs
      })
      .then(setExpiry, () => {})
    return () => stop.abort()
  }, [url, completeTime])
  return expiry
}

/** Whether the video has expired; false as long as that is not known. */
export function useIsExpired(atMs: number | null): boolean {
  const now = useNow(1000)
  return atMs !== null && atMs <= now
}

export function Expiry({ atMs }: { atMs: number | null }) {
  const now = useNow(1000)
  if (atMs === null) return <span class="muted">&nbsp;</span>
  if (atMs <= now) return <span class="muted">The video has expired</span>
  return (
    <span class="muted" title={new Date(atMs).toLocaleString('en')}>
      Here for another <span class="figures">{formatCountdown(atMs - now)}</span>
    </span>
  )
}

function formatCountdown(ms: number): string {
  return ms < 3_600_000 ? formatDuration(Math.floor(ms / 1000) * 1000) : formatDuration(ms)
}

export function downloadUrl(task: TaskRecord): string | null {
  const url = videoUrlOf(task)
  return url && `${localFileUrl(url) ?? url}?download`
}

export const thumbnailOf = (video: VideoRecord | null) =>
  video?.videoInfo ? localFileUrl(video.videoInfo.imageUrl) : null
