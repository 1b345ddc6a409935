// Two charts: bars over days, and shares of a whole. Inline SVG and plain elements; the figures stand beside them.
import { useEffect, useRef, useState } from 'preact/hooks'
import { formatCount } from '../format.ts'

const chart = { height: 216, foot: 24, top: 16 }

export function DayBars({ days, unit }: { days: { day: string; value: number }[]; unit: string }) {
  const top = niceCeiling(Math.max(1, ...days.map(({ value }) => value)))
  const { box, width } = useWidth()
  const room = chart.height - chart.foot - chart.top
  const step = width / days.length
  const total = days.reduce((sum, { value }) => sum + value, 0)
  return (
    <svg
      ref={box}
      class="day-bars"
      height={chart.height}
      viewBox={`0 0 ${width} ${chart.height}`}
      role="img"
      aria-label={`${formatCount(total)} ${unit} over ${days.length} days`}
    >
      {[0, 0.5, 1].map((share) => (
        <g key={share} class="grid">
          <line x1={0} x2={width} y1={chart.top + room * (1 - share)} y2={chart.top + room * (1 - share)} />
          {share > 0 && (
            <text x={0} y={chart.top + room * (1 - share) - 4}>
              {formatCount(top * share)}
            </text>
          )}
        </g>
      ))}
      {days.map(({ day, value }, index) => {
        const height = (value / top) * room
        return (
          <g key={day}>
            <rect class="bar-hit" x={index * step} y={chart.top} width={step} height={room}>
              <title>{`${dayWords(day)}: ${formatCount(value)} ${unit}`}</title>
            </rect>
            {value > 0 && (
              <rect
                class="bar-fill"
                x={index * step + step * 0.18}
                y={chart.top + room - Math.max(2, height)}
                width={step * 0.64}
                height={Math.max(2, height)}
                rx={Math.min(3, step * 0.2)}
              />
            )}
          </g>
        )
      })}
      {ticks(days.length).map((index) => (
        <text
          key={index}
          class="day"
          x={index * step + step / 2}
          y={chart.height - 6}
          text-anchor={index === 0 ? 'start' : index === days.length - 1 ? 'end' : 'middle'}
          dx={index === 0 ? -step / 2 : index === days.length - 1 ? step / 2 : 0}
        >
          {dayWords(days[index]!.day)}
        </text>
      ))}
    </svg>
  )
}

export function Shares({
  label,
  parts,
}: {
  label: string
  parts: { name: string; value: number; note: string; state?: string }[]
}) {
  const top = Math.max(1, ...parts.map(({ value }) => value))
  return (
    <ul class="shares" aria-label={label}>
      {parts.map(({ name, value, note, state }) => (
        <li key={name}>
          <span class="clip">{name}</span>
          <span class="share-track" aria-hidden="true">
            <span class="share-fill" data-state={state} style={{ width: `${(value / top) * 100}%` }} />
          </span>
          <span class="figures">{formatCount(value)}</span>
          <span class="muted figures">{note}</span>
        </li>
      ))}
    </ul>
  )
}

/** Drawn to the width that there is, so that text keeps its size. */
function useWidth() {
  const box = useRef<SVGSVGElement>(null)
  const [width, setWidth] = useState(1136)
  useEffect(() => {
    const observer = new ResizeObserver(([entry]) => setWidth(Math.max(200, Math.round(entry!.contentRect.width))))
    observer.observe(box.current!)
    return () => observer.disconnect()
  }, [])
  return { box, width }
}

/** The next of 1, 2, 5, 10, 20, 50 … */
export function niceCeiling(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value))
  return [1, 2, 5, 10].map((factor) => factor * power).find((candidate) => candidate >= value)!
}

function ticks(count: number): number[] {
  if (count <= 7) return Array.from({ length: count }, (_, index) => index)
  return [0, Math.round((count - 1) / 3), Math.round(((count - 1) * 2) / 3), count - 1]
}

const dayFormat = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short', timeZone: 'UTC' })
const dayWords = (day: string) => dayFormat.format(new Date(`${day}T00:00:00Z`))
