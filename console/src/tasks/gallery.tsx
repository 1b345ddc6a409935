// Tasks as pictures: the video plays while the pointer or the focus is on it.
import { useEffect, useRef, useState } from 'preact/hooks'
import { localFileUrl } from '../format.ts'
import { linkTo } from '../router.ts'
import { useSession } from '../session.ts'
import { shownState } from '../task-facts.ts'
import { StateBadge } from '../ui/state-badge.tsx'
import type { TaskItem } from './task-pages.ts'
import { Thumbnail, type Thumbnails } from './thumbnail.tsx'
import type { Return } from './use-return.ts'

interface GalleryProps {
  items: TaskItem[]
  thumbnails: Thumbnails
  selected: ReadonlySet<string>
  onSelect(taskId: string, on: boolean): void
  back: Return
  more: boolean
  onNearEnd(): void
}

export function Gallery({ items, thumbnails, selected, onSelect, back, more, onNearEnd }: GalleryProps) {
  const end = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (!more) return
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && onNearEnd(), {
      rootMargin: '800px',
    })
    observer.observe(end.current!)
    return () => observer.disconnect()
  }, [more, onNearEnd, items.length])
  return (
    <>
      <ul class="gallery" aria-label="Tasks, newest first">
        {items.map((item) => (
          <Card
            key={item.taskId}
            item={item}
            thumbnails={thumbnails}
            isSelected={selected.has(item.taskId)}
            onSelect={(on) => onSelect(item.taskId, on)}
            back={back}
          />
        ))}
      </ul>
      <div ref={end} />
    </>
  )
}

interface CardProps {
  item: TaskItem
  thumbnails: Thumbnails
  isSelected: boolean
  onSelect(on: boolean): void
  back: Return
}

function Card(props: CardProps) {
  const { item, back } = props
  const { api } = useSession()
  const [playing, setPlaying] = useState(false)
  const source = item.videoUrl && (localFileUrl(item.videoUrl) ?? item.videoUrl)
  const play = (on: boolean) => () => setPlaying(on)
  return (
    <li class="gallery-card" data-selected={props.isSelected || undefined}>
      <a
        ref={back.linkRef(item.taskId)}
        href={linkTo.task(item.taskId)}
        onClick={() => back.leave(item.taskId)}
        onMouseEnter={play(true)}
        onMouseLeave={play(false)}
        onFocus={play(true)}
        onBlur={play(false)}
      >
        <span class="gallery-picture">
          <Thumbnail api={api} taskId={item.taskId} state={item.state} known={props.thumbnails} />
          {playing && source && <video src={source} autoplay muted loop playsInline tabIndex={-1} />}
        </span>
        <span class="gallery-words">
          <span class="task-prompt" dir="auto">
            {item.prompt || item.taskId}
          </span>
          <StateBadge state={shownState(item)} />
        </span>
      </a>
      <input
        type="checkbox"
        class="gallery-check"
        aria-label={`Select: ${item.prompt || item.taskId}`}
        checked={props.isSelected}
        onChange={(event) => props.onSelect(event.currentTarget.checked)}
      />
    </li>
  )
}
