// Shots on a timeline: drag the cuts (or move them with the arrow keys), write what each shot shows.
import { useRef } from 'preact/hooks'
import { FieldError } from '../../ui/fields.tsx'
import { CrossIcon, PlusIcon } from '../../ui/icons.tsx'
import { PromptField } from './prompt-field.tsx'
import { addShot, moveCut, type Shot, shotSeconds, totalOf, totalSecondsMax } from './shots.ts'

interface ShotEditorProps {
  shots: Shot[]
  onChange(shots: Shot[]): void
  shotsMax: number
  charactersMax: number | undefined
  names: string[]
  errorOf(path: string): string | undefined
}

export function ShotEditor(props: ShotEditorProps) {
  const { shots, onChange, errorOf } = props
  const update = (index: number, change: Partial<Shot>) =>
    onChange(shots.map((shot, position) => (position === index ? { ...shot, ...change } : shot)))
  return (
    <div class="shots">
      <div class="field-head">
        <span class="label">Shots</span>
        <span class="count">
          {totalOf(shots)} s of {totalSecondsMax} s
        </span>
      </div>
      <Timeline shots={shots} onChange={onChange} />
      <FieldError text={errorOf('')} />
      <ol class="shot-list">
        {shots.map((shot, index) => (
          <li key={index} class="shot">
            <div class="shot-head">
              <span class="shot-number">{index + 1}</span>
              <label class="seconds">
                <span class="visually-hidden">Seconds of shot {index + 1}</span>
                <input
                  type="number"
                  min={shotSeconds.min}
                  max={shotSeconds.max}
                  step={0.5}
                  value={shot.duration}
                  aria-invalid={errorOf(`[${index}].duration`) ? true : undefined}
                  onInput={(event) => update(index, { duration: event.currentTarget.valueAsNumber })}
                />{' '}
                s
              </label>
              <button
                type="button"
                class="button bare small"
                aria-label={`Remove shot ${index + 1}`}
                onClick={() => onChange(shots.filter((_, position) => position !== index))}
              >
                <CrossIcon />
              </button>
            </div>
            <FieldError text={errorOf(`[${index}].duration`)} />
            <PromptField
              label={`Shot ${index + 1}`}
              hideLabel
              rows={2}
              value={shot.prompt}
              names={props.names}
              charactersMax={props.charactersMax}
              placeholder="What this shot shows"
              error={errorOf(`[${index}].prompt`)}
              onChange={(prompt) => update(index, { prompt })}
            />
          </li>
        ))}
      </ol>
      {shots.length < props.shotsMax && (
        <button type="button" class="button small" onClick={() => onChange(addShot(shots))}>
          <PlusIcon /> Add a shot
        </button>
      )}
    </div>
  )
}

function Timeline({ shots, onChange }: { shots: Shot[]; onChange(shots: Shot[]): void }) {
  const track = useRef<HTMLDivElement>(null)
  const drag = useRef<{ x: number; shots: Shot[]; perPixel: number } | null>(null)
  return (
    <div class="timeline" ref={track}>
      {shots.map((shot, index) => {
        const end = totalOf(shots.slice(0, index + 1))
        return (
          <div key={index} class="timeline-shot" style={{ flexGrow: Math.max(shot.duration || 0, 0.2) }}>
            <span>
              <b>{index + 1}</b> {shot.duration || 0} s
            </span>
            <div
              class="timeline-cut"
              role="slider"
              tabIndex={0}
              aria-label={index === shots.length - 1 ? 'End of the video' : `Cut after shot ${index + 1}`}
              aria-valuemin={0}
              aria-valuemax={totalSecondsMax}
              aria-valuenow={end}
              aria-valuetext={`${end} seconds`}
              onPointerDown={(event) => {
                event.preventDefault()
                event.currentTarget.focus()
                event.currentTarget.setPointerCapture(event.pointerId)
                drag.current = { x: event.clientX, shots, perPixel: totalOf(shots) / track.current!.clientWidth }
              }}
              onPointerMove={(event) => {
                const from = drag.current
                if (from) onChange(moveCut(from.shots, index, (event.clientX - from.x) * from.perPixel))
              }}
              onPointerUp={() => {
                drag.current = null
              }}
              onPointerCancel={() => {
                drag.current = null
              }}
              onKeyDown={(event) => {
                const step =
                  event.key === 'ArrowRight' || event.key === 'ArrowUp'
                    ? 0.5
                    : event.key === 'ArrowLeft' || event.key === 'ArrowDown'
                      ? -0.5
                      : 0
                if (step === 0) return
                event.preventDefault()
                onChange(moveCut(shots, index, step))
              }}
            />
          </div>
        )
      })}
    </div>
  )
}
