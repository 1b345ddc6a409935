// What was used: credits by day, tasks by state and model, how many succeeded, and the ledger, folded by task.
import { useState } from 'preact/hooks'
import type { Api } from '../api.ts'
import { type LedgerEntry, listedStates, type Usage } from '../api-types.ts'
import {
  formatCount,
  formatCounted,
  formatCredits,
  formatDuration,
  formatShare,
  formatTime,
  shortId,
} from '../format.ts'
import { useAction, useLoaded } from '../hooks.ts'
import { OlderButton, usePages } from '../pages.tsx'
import { linkTo, useQuery, useTitle } from '../router.ts'
import { useSession } from '../session.ts'
import { Chart } from '../ui/chart.tsx'
import { Loading, Notice, Section, Segments, ViewHead } from '../ui/parts.tsx'
import { stateWord } from '../ui/state-badge.tsx'
import { Table } from '../ui/table.tsx'
import { toCsv } from './csv.ts'
import { foldLedger } from './ledger-lines.ts'
import { saveFile } from './save-file.ts'
import { Shares } from './shares.tsx'

const spans = ['7', '30', '90'] as const
const dayMs = 86_400_000

export function UsageView() {
  const { api, balance, models, isSubKey } = useSession()
  const [query, setQuery] = useQuery()
  const span = spans.find((value) => value === query.get('days')) ?? '30'
  const usage = useLoaded(() => api.usage({ days: Number(span) }), [api, span], 15_000)
  const data = usage.data
  const credits = data?.days.reduce((sum, day) => sum + day.credits, 0) ?? null
  const tasks = data?.days.reduce((sum, day) => sum + day.tasks, 0) ?? null
  const outcomes = data?.outcomes ?? null
  const shownCount = (count: number | null) => (count === null ? '–' : formatCount(count))
  useTitle('Usage')
  return (
    <>
      <ViewHead title="Usage">
        <Segments
          label="Days"
          value={span}
          options={spans.map((value) => ({ value, label: `${value} days` }))}
          onChange={(days) => setQuery({ days: days === '30' ? null : days })}
        />
      </ViewHead>
      <Notice problem={usage.problem} />
      <div class="figures-row">
        <Figure name="Balance" value={balance === null ? '–' : formatCount(balance)} unit="credits" />
        <Figure
          name="Used"
          value={shownCount(credits)}
          unit={`${credits === 1 ? 'credit' : 'credits'} in ${span} days`}
        />
        <Figure name="Tasks" value={shownCount(tasks)} unit={`in ${span} days`} />
        <Figure name="Succeeded" value={successShare(outcomes)} unit={successUnit(outcomes)} />
      </div>
      {data && (
        <>
          <div class="two charts">
            <Section title="Credits by day">
              <DayChart label="Credits by day" days={everyDay(data.days, Number(span), 'credits')} noun="credit" />
            </Section>
            <Section title="Tasks by day">
              <DayChart label="Tasks by day" days={everyDay(data.days, Number(span), 'tasks')} noun="task" />
            </Section>
          </div>
          {data.times.length > 0 && (
            <Section title="Time in each state">
              <Table
                label="Time in each state"
                name="times"
                columns={['State', { number: 'Median' }, { number: '95 % within' }]}
              >
                {data.times.map(({ state, p50Ms, p95Ms }) => (
                  <tr key={state}>
                    <td>{stateWord(state)}</td>
                    <td class="number">{formatDuration(p50Ms)}</td>
                    <td class="number">{formatDuration(p95Ms)}</td>
                  </tr>
                ))}
              </Table>
              <p class="muted">Of the latest successful tasks, at most 1,000.</p>
            </Section>
          )}
          {data.keys.length > 1 && (
            <Section title="Credits by key">
              <Shares
                label="Credits by key"
                parts={data.keys.map(({ keyId, name, tasks: count, credits: value }) => ({
                  name: name || shortId(keyId) || 'unknown key',
                  value,
                  note: formatCounted(count, 'task'),
                }))}
              />
            </Section>
          )}
          {tasks !== null && tasks > 0 && (
            <div class="two">
              <Section title="Tasks by state">
                <Shares
                  label="Tasks by state"
                  parts={shownStates(data)
                    .toSorted((a, b) => placeInLife(a.state) - placeInLife(b.state))
                    .map(({ state, tasks: value, credits: cost }) => ({
                      name: stateWord(state),
                      state,
                      value,
                      note: formatCredits(cost),
                    }))}
                />
              </Section>
              <Section title="Tasks by model">
                <Shares
                  label="Tasks by model"
                  parts={data.models.map(({ model, tasks: value, credits: cost }) => ({
                    name: models.find(({ id }) => id === model)?.title ?? model,
                    value,
                    note: formatCredits(cost),
                  }))}
                />
              </Section>
            </div>
          )}
        </>
      )}
      {!isSubKey && <Ledger />}
    </>
  )
}

const placeInLife = (state: string) => (listedStates as readonly string[]).indexOf(state)

/** A canceled task is a failed one on the wire, but nothing went wrong with it. */
function shownStates({ states, outcomes: { canceled } }: Usage): Usage['states'] {
  const apart = canceled > 0 ? [{ state: 'canceled', tasks: canceled, credits: 0 }] : []
  return [
    ...states.map((each) => (each.state === 'fail' ? { ...each, tasks: each.tasks - canceled } : each)),
    ...apart,
  ].filter(({ tasks }) => tasks > 0)
}

function Figure({ name, value, unit }: { name: string; value: string; unit: string }) {
  return (
    <div class="figure">
      <span class="muted">{name}</span>
      <strong>{value}</strong>
      <span class="muted">{unit}</span>
    </div>
  )
}

/** `97 %` of the tasks that the service could have made; `–` when none ended, or when that is not known. */
function successShare(outcomes: Usage['outcomes'] | null): string {
  if (!outcomes) return '–'
  const { succeeded, failed } = outcomes
  return succeeded + failed === 0 ? '–' : formatShare(succeeded, succeeded + failed)
}

/** Names what is not counted. */
function successUnit(outcomes: Usage['outcomes'] | null): string {
  const apart = [
    outcomes?.canceled ? `${formatCount(outcomes.canceled)} canceled` : '',
    outcomes?.refused ? `${formatCount(outcomes.refused)} with wrong input` : '',
  ].filter((text) => text !== '')
  return apart.length === 0 ? 'of those that ended' : `without ${apart.join(' and ')}`
}

function DayChart({ label, days, noun }: { label: string; days: { day: string; value: number }[]; noun: string }) {
  const total = days.reduce((sum, { value }) => sum + value, 0)
  return (
    <Chart
      label={label}
      kind="bars"
      moments={days.map(({ day }) => dayFormat.format(new Date(`${day}T00:00:00Z`)))}
      series={[{ name: label, values: days.map(({ value }) => value) }]}
      format={(value) => formatCount(value)}
      summary={`${formatCounted(total, noun)} in ${days.length} days`}
    />
  )
}

const dayFormat = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short', timeZone: 'UTC' })

/** The service leaves out days without tasks; a chart does not. */
function everyDay(days: Usage['days'], count: number, of: 'credits' | 'tasks') {
  const byDay = new Map(days.map((day) => [day.day, day[of]]))
  const today = Math.floor(Date.now() / dayMs) * dayMs
  return Array.from({ length: count }, (_, index) => {
    const day = new Date(today - (count - 1 - index) * dayMs).toISOString().slice(0, 10)
    return { day, value: byDay.get(day) ?? 0 }
  })
}

const pageSize = 50
const exportRowsMax = 50_000

function Ledger() {
  const { api, balance } = useSession()
  const pages = usePages((cursor) => api.ledger({ limit: pageSize }).page(cursor), `balance ${balance}`)
  const action = useAction()
  const [note, setNote] = useState('')
  const save = () =>
    action.run(async () => {
      const isWhole = await exportLedger(api)
      setNote(isWhole ? '' : `Only the newest ${formatCount(exportRowsMax)} entries were exported.`)
    })
  return (
    <Section
      title="Ledger"
      aside={
        <button type="button" class="button small" disabled={action.busy || pages.items.length === 0} onClick={save}>
          {action.busy ? 'Reading…' : 'Export CSV'}
        </button>
      }
    >
      <Notice problem={pages.problem ?? action.problem}>{note}</Notice>
      <Loading until={pages.isLoaded || pages.problem} />
      {pages.isLoaded && (
        <Table label="Ledger" name="ledger" columns={['Time', 'Entry', 'Task', { number: 'Credits' }]}>
          {foldLedger(pages.items).map((entry) => (
            <tr key={entry.id}>
              <td class="muted">{formatTime(entry.createTime)}</td>
              <td>{entry.words}</td>
              <td>
                {entry.taskId ? (
                  <a class="mono" href={linkTo.task(entry.taskId)}>
                    {shortId(entry.taskId)}
                  </a>
                ) : (
                  ''
                )}
              </td>
              <td class="number" data-sign={Math.sign(entry.credits ?? 0)}>
                {entry.credits === null ? '–' : `${entry.credits > 0 ? '+' : ''}${formatCount(entry.credits)}`}
              </td>
            </tr>
          ))}
        </Table>
      )}
      <OlderButton pages={pages} what="entries" />
    </Section>
  )
}

/** Newest first. False where there are more entries than it exports. */
async function exportLedger(api: Api): Promise<boolean> {
  const entries: LedgerEntry[] = []
  for await (const entry of api.ledger({ limit: 100 })) if (entries.push(entry) > exportRowsMax) break
  const rows = entries
    .slice(0, exportRowsMax)
    .map((entry) => [
      new Date(entry.createTime).toISOString(),
      entry.kind,
      entry.amount,
      entry.balanceAfter,
      entry.taskId,
      entry.keyId,
      entry.id,
      entry.cost,
    ])
  const text = toCsv(['time', 'kind', 'amount', 'balance_after', 'task_id', 'key_id', 'id', 'cost'], rows)
  saveFile(new Blob([text], { type: 'text/csv' }), 'dailies-ledger.csv')
  return entries.length <= exportRowsMax
}
