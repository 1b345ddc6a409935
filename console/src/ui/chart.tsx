// A chart over time: bars of one series, or a line per series, with axes, and the figures of the moment under the
// pointer above it. Inline SVG, so that it follows the theme and the text size; a table says the same to screen readers.
import { useEffect, useRef, useState } from 'preact/hooks'

interface ChartSeries {
  name: string
  /** One per moment; null where nothing is known. */
  values: (number | null)[]
}

interface ChartProps {
  label: string
  kind: 'bars' | 'lines'
  /** What each value is of: a day, an hour. */
  moments: string[]
  series: ChartSeries[]
  format(value: number): string
  /** The top of the axis; a round number above the largest value if left out. */
  top?: number
  /** What is said while no moment is chosen. */
  summary: string
}

const height = 200
const room = { top: 12, right: 4, bottom: 28, left: 64 }

export function Chart(props: ChartProps) {
  const { moments, series, format } = props
  const { box, width } = useWidth()
  const [at, setAt] = useState<number | null>(null)
  const known = series.flatMap(({ values }) => values).filter((value) => value !== null)
  const top = props.top ?? niceCeiling(Math.max(2, ...known))
  const plot = { width: width - room.left - room.right, height: height - room.top - room.bottom }
  const step = plot.width / moments.length
  const middle = (index: number) => room.left + (index + 0.5) * step
  const heightOf = (value: number) => room.top + plot.height * (1 - value / top)
  const look = (event: PointerEvent) => {
    const left = box.current!.getBoundingClientRect().left
    const index = Math.floor((event.clientX - left - room.left) / step)
    setAt(index >= 0 && index < moments.length ? index : null)
  }
  return (
    <figure class="chart">
      <figcaption class="chart-words">
        <span class="figures">
          {at === null ? (
            props.summary
          ) : (
            <>
              <span class="muted">{moments[at]}</span>{' '}
              {series.length === 1 && <strong>{written(series[0]!.values[at], format)}</strong>}
            </>
          )}
        </span>
        {series.length > 1 && (
          <span class="legend">
            {series.map(({ name, values }, index) => (
              <span key={name} class="legend-entry" data-series={index % colours}>
                {name}
                {at !== null && <strong class="figures"> {written(values[at], format)}</strong>}
              </span>
            ))}
          </span>
        )}
      </figcaption>
      <svg
        ref={box}
        height={height}
        viewBox={`0 0 ${width} ${height}`}
        aria-hidden="true"
        onPointerMove={look}
        onPointerDown={look}
        onPointerLeave={() => setAt(null)}
      >
        {[0, 0.5, 1].map((share) => (
          <g key={share} class="grid">
            <line x1={room.left} x2={width - room.right} y1={heightOf(top * share)} y2={heightOf(top * share)} />
            <text x={room.left - 8} y={heightOf(top * share) + 4} text-anchor="end">
              {format(top * share)}
            </text>
          </g>
        ))}
        {ticks(moments.length, plot.width).map((index) => (
          <text
            key={index}
            x={index === moments.length - 1 ? width - room.right : middle(index)}
            y={height - 8}
            text-anchor={index === moments.length - 1 ? 'end' : 'middle'}
          >
            {moments[index]}
          </text>
        ))}
        {at !== null && (
          <rect class="chart-at" x={room.left + at * step} y={room.top} width={step} height={plot.height} />
        )}
        {props.kind === 'bars'
          ? series[0]!.values.map(
              (value, index) =>
                value !== null &&
                value > 0 && (
                  <rect
                    key={index}
                    class="chart-bar"
                    x={middle(index) - step * 0.32}
                    y={Math.min(heightOf(value), heightOf(0) - 2)}
                    width={step * 0.64}
                    height={Math.max(2, heightOf(0) - heightOf(value))}
                    rx={Math.min(3, step * 0.2)}
                  />
                ),
            )
          : series.map(({ name, values }, index) => (
              <g key={name} class="chart-line" data-series={index % colours}>
                <path d={lineOf(values, middle, heightOf)} />
                {values.map(
                  (value, moment) =>
                    value !== null && (
                      <circle key={moment} cx={middle(moment)} cy={heightOf(value)} r={moment === at ? 4 : 2.5} />
                    ),
                )}
              </g>
            ))}
      </svg>
      {/* A table is never smaller than its content, so what hides it is around it. */}
      <div class="visually-hidden">
        <table>
          <caption>{props.label}</caption>
          <thead>
            <tr>
              <th scope="col">Time</th>
              {series.map(({ name }) => (
                <th key={name} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {moments.map((moment, index) => (
              <tr key={moment}>
                <th scope="row">{moment}</th>
                {series.map(({ name, values }) => (
                  <td key={name}>{written(values[index], format)}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </figure>
  )
}

/** As many as the styles have. */
const colours = 5

const written = (value: number | null | undefined, format: (value: number) => string) =>
  value === null || value === undefined ? '–' : format(value)

/** Broken where a value is not known. */
function lineOf(values: (number | null)[], x: (index: number) => number, y: (value: number) => number): string {
  return values
    .map((value, index) => {
      if (value === null) return ''
      const begins = index === 0 || values[index - 1] === null
      return `${begins ? 'M' : 'L'}${x(index).toFixed(1)} ${y(value).toFixed(1)}`
    })
    .join('')
}

/** Drawn to the width that there is, so that text keeps its size. */
function useWidth() {
  const box = useRef<SVGSVGElement>(null)
  const [width, setWidth] = useState(600)
  useEffect(() => {
    const observer = new ResizeObserver(([entry]) => setWidth(Math.max(200, Math.round(entry!.contentRect.width))))
    observer.observe(box.current!)
    return () => observer.disconnect()
  }, [])
  return { box, width }
}

/** The next of 2, 4, 6, 10, 20, 40, 60, 100 …: half of each, where the axis has a line, is a whole number too. */
function niceCeiling(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value))
  return [1, 2, 4, 6, 10].map((factor) => factor * power).find((candidate) => candidate >= value)!
}

const tickPx = 72

/** The moments that have a label, evenly apart, the last among them. */
function ticks(count: number, widthPx: number): number[] {
  const every = Math.max(1, Math.ceil(count / Math.max(1, Math.floor(widthPx / tickPx))))
  return Array.from({ length: count }, (_, index) => index).filter((index) => (count - 1 - index) % every === 0)
}
