// Two videos side by side that play in step: one button, one timeline, and what differs between their requests.
import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import { promptOf, videoUrlOf } from '../../../../client/src/records.ts'
import type { TaskRecord } from '../../api-types.ts'
import { fieldLabel, formatCredits, formatDuration, localFileUrl } from '../../format.ts'
import { linkTo } from '../../router.ts'
import { bodyOf } from '../../task-facts.ts'

/** Seconds that the two may drift apart before the second is corrected. */
const driftMax = 0.08

export function Compare({ left, right, onClose }: { left: TaskRecord; right: TaskRecord; onClose(): void }) {
  const first = useRef<HTMLVideoElement>(null)
  const second = useRef<HTMLVideoElement>(null)
  const [playing, setPlaying] = useState(true)
  const [share, setShare] = useState(0)
  const differing = differencesOf(left, right)

  useEffect(() => {
    const onKey = (event: KeyboardEvent) => event.key === 'Escape' && onClose()
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [onClose])
  useEffect(() => {
    for (const video of [first.current, second.current]) {
      if (playing) video?.play().catch(() => {})
      else video?.pause()
    }
  }, [playing])
  const follow = useCallback(() => {
    const [leader, other] = [first.current, second.current]
    if (!leader || !other || !leader.duration) return
    setShare(leader.currentTime / leader.duration)
    const wanted = Math.min(leader.currentTime, other.duration || leader.currentTime)
    if (Math.abs(other.currentTime - wanted) > driftMax) other.currentTime = wanted
  }, [])
  const seek = (to: number) => {
    const leader = first.current
    if (!leader?.duration) return
    leader.currentTime = to * leader.duration
    follow()
  }
  return (
    <section class="compare" aria-label="Comparison">
      <div class="compare-pair">
        {[left, right].map((task, index) => (
          <figure key={task.taskId}>
            <div class="screen">
              <video
                ref={index === 0 ? first : second}
                class="video"
                src={sourceOf(task)}
                autoplay
                muted
                loop
                playsInline
                aria-label={`Video ${index === 0 ? 'A' : 'B'}`}
                onTimeUpdate={index === 0 ? follow : undefined}
              />
            </div>
            <figcaption>
              <a href={linkTo.task(task.taskId)}>
                <b>{index === 0 ? 'A' : 'B'}</b> <bdi>{promptOf(task)}</bdi>
              </a>
              <span class="muted figures">
                {task.costTime === null ? '–' : formatDuration(task.costTime)} · {formatCredits(task.creditsConsumed)}
              </span>
            </figcaption>
          </figure>
        ))}
      </div>
      <div class="row">
        <button type="button" class="button" onClick={() => setPlaying(!playing)}>
          {playing ? 'Pause' : 'Play'}
        </button>
        <input
          type="range"
          min={0}
          max={1}
          step={0.001}
          value={share}
          aria-label="Position in both videos"
          onInput={(event) => seek(event.currentTarget.valueAsNumber)}
        />
        <button type="button" class="button" onClick={onClose}>
          Close
        </button>
      </div>
      {differing.length > 0 && (
        <table class="compare-table">
          <thead>
            <tr>
              <th scope="col">Differs in</th>
              <th scope="col">A</th>
              <th scope="col">B</th>
            </tr>
          </thead>
          <tbody>
            {differing.map(({ name, a, b }) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                <td class="break">{a}</td>
                <td class="break">{b}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  )
}

function sourceOf(task: TaskRecord): string | undefined {
  const url = videoUrlOf(task)
  return url ? (localFileUrl(url) ?? url) : undefined
}

/** Fields of the two requests, and of what became of them, that are not the same. */
function differencesOf(left: TaskRecord, right: TaskRecord): { name: string; a: string; b: string }[] {
  const [a, b] = [factsOf(left), factsOf(right)]
  const names = [...new Set([...Object.keys(a), ...Object.keys(b)])]
  return names
    .filter((name) => a[name] !== b[name])
    .map((name) => ({ name: fieldLabel(name), a: a[name] ?? '–', b: b[name] ?? '–' }))
}

function factsOf(task: TaskRecord): Record<string, string> {
  const { understood, video: delivered } = task
  const fields: Record<string, unknown> = {
    model: task.model,
    ...bodyOf(task).input,
    ...(understood ? { understood: [...understood.moves, ...understood.effects].join(', ') } : {}),
    ...(delivered ? { size: `${delivered.width} × ${delivered.height}`, engine: delivered.engine } : {}),
  }
  const present = Object.entries(fields).filter(([, value]) => value !== undefined && value !== null && value !== '')
  return Object.fromEntries(
    present.map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)]),
  )
}
