// The engines: whether each is healthy now, and how it did in the last day.
import type { EngineHistory, OperatorStatus } from '../api-types.ts'
import { formatCount, formatDuration, formatShare, formatTime } from '../format.ts'
import { useLoaded } from '../hooks.ts'
import { useSession } from '../session.ts'
import { Chart } from '../ui/chart.tsx'
import { Notice, Section } from '../ui/parts.tsx'
import { Table } from '../ui/table.tsx'

const hours = 24
const hourMs = 3_600_000
const readAgainMs = 60_000
const hourOfDay = new Intl.DateTimeFormat('en', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })

export function Engines({ engines }: { engines: OperatorStatus['engines'] }) {
  const { api } = useSession()
  const history = useLoaded(() => api.operator.engineHistory({ hours }), [api], readAgainMs)
  const known = history.data ?? []
  const starts = hoursUntil(Date.now())
  const moments = starts.map((start) => hourOfDay.format(start))
  return (
    <Section title="Engines">
      <Notice problem={history.problem} />
      <Table
        label="Engines"
        name="engines"
        columns={[
          'Engine',
          'Type',
          'Health',
          { number: 'Slots' },
          { number: 'Attempts' },
          { number: 'Succeeded' },
          'Last problem',
        ]}
      >
        {engines.map((engine) => {
          const sums = sumsOf(known.find(({ engine: name }) => name === engine.name))
          return (
            <tr key={engine.name}>
              <td>{engine.name}</td>
              <td class="muted">{engine.type}</td>
              <td>
                <Health engine={engine} />
                {engine.retryAt !== null && <span class="muted"> · next attempt {formatTime(engine.retryAt)}</span>}
              </td>
              <td class="number" data-label="Slots">
                {formatCount(engine.slots)}
              </td>
              <td class="number" data-label="Attempts">
                {history.data ? formatCount(sums.attempts) : '–'}
              </td>
              <td class="number" data-label="Succeeded">
                {shareText(sums)}
              </td>
              <td class="muted wraps" data-label="Last problem">
                {engine.busy ?? engine.lastProblem ?? '–'}
              </td>
            </tr>
          )
        })}
      </Table>
      {known.length > 0 && (
        <div class="two charts">
          <div>
            <h3>Succeeded, by hour</h3>
            <Chart
              label="Share of attempts that succeeded, by engine and hour"
              kind="lines"
              moments={moments}
              series={known.map((engine) => ({
                name: engine.engine,
                values: byHour(engine, starts, ({ attempts, succeeded }) => succeeded / attempts),
              }))}
              top={1}
              format={(share) => formatShare(share, 1)}
              summary={`Last ${hours} hours`}
            />
          </div>
          <div>
            <h3>Median time, by hour</h3>
            <Chart
              label="Median time of attempts that succeeded, by engine and hour"
              kind="lines"
              moments={moments}
              series={known.map((engine) => ({
                name: engine.engine,
                values: byHour(engine, starts, ({ p50Ms }) => p50Ms),
              }))}
              format={formatDuration}
              summary={`Last ${hours} hours`}
            />
          </div>
        </div>
      )}
      {history.data && known.length === 0 && <p class="muted">No attempt has ended in the last {hours} hours.</p>}
    </Section>
  )
}

function Health({ engine: { healthy, busy } }: { engine: OperatorStatus['engines'][number] }) {
  const [state, word] = !healthy ? ['fail', 'Unhealthy'] : busy !== null ? ['pending', 'Busy'] : ['success', 'Healthy']
  return (
    <span class="state" data-state={state}>
      {word}
    </span>
  )
}

/** The starts of the last hours, oldest first. */
function hoursUntil(nowMs: number): number[] {
  const last = nowMs - (nowMs % hourMs)
  return Array.from({ length: hours }, (_, index) => last - (hours - 1 - index) * hourMs)
}

type Hour = EngineHistory['hours'][number]

function byHour(engine: EngineHistory, starts: number[], read: (hour: Hour) => number | null): (number | null)[] {
  const found = new Map(engine.hours.map((hour) => [hour.hour, read(hour)]))
  return starts.map((start) => found.get(start) ?? null)
}

interface Sums {
  attempts: number
  succeeded: number
}

function sumsOf(engine: EngineHistory | undefined): Sums {
  const sum = (name: 'attempts' | 'succeeded') => (engine?.hours ?? []).reduce((total, hour) => total + hour[name], 0)
  return { attempts: sum('attempts'), succeeded: sum('succeeded') }
}

const shareText = ({ attempts, succeeded }: Sums) => (attempts === 0 ? '–' : formatShare(succeeded, attempts))
