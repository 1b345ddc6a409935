// For keys with the operator right: queues, further lists the service reports (workers, engines), and switches.
import { useEffect, useState } from 'preact/hooks'
import type { OperatorStatus } from '../api-types.ts'
import { formatCount, formatDuration, formatTime } from '../format.ts'
import { useAction, useLoaded } from '../hooks.ts'
import { useTitle } from '../router.ts'
import { useSession } from '../session.ts'
import { isObject } from '../task-facts.ts'
import { Confirm, Notice, Section, Switch, TableBox, ViewHead } from '../ui/parts.tsx'
import { Accounts } from './accounts.tsx'

export function OperatorView() {
  const { api } = useSession()
  const status = useLoaded(() => api.operatorStatus(), [api], 2000)
  const action = useAction()
  const data = status.data
  const { shown, wish } = useWishes(data)
  const [asked, setAsked] = useState<{ name: string; on: boolean } | null>(null)
  useTitle('Operator')
  const change = (name: string, on: boolean) =>
    action.run(async () => {
      wish(name, on)
      await (name === maintenance ? api.setMaintenance(on) : api.setFeature(name, on)).catch((error) => {
        wish(name, undefined)
        throw error
      })
      status.reload()
    })
  // What stops other people's work is asked about first.
  const ask = (name: string, on: boolean) => ((name === maintenance) === on ? setAsked({ name, on }) : change(name, on))
  return (
    <>
      <ViewHead title="Operator" />
      {asked && (
        <Confirm
          title={asked.name === maintenance ? 'Start maintenance?' : `Switch ${asked.name} off?`}
          text={
            asked.name === maintenance
              ? 'New work is refused with 455 for every account until you end it. Running tasks finish.'
              : 'Requests that need it are refused with 505 for every account until you switch it on.'
          }
          action={asked.name === maintenance ? 'Start maintenance' : 'Switch off'}
          onConfirm={() => {
            change(asked.name, asked.on)
            setAsked(null)
          }}
          onClose={() => setAsked(null)}
        />
      )}
      <Notice problem={status.problem ?? action.problem} />
      {data && (
        <>
          <section class="card maintenance" data-on={shown(maintenance) || undefined} aria-label="Maintenance">
            <Switch label="Maintenance" checked={shown(maintenance)} onChange={(on) => ask(maintenance, on)} />
            <span class="muted">
              {data.maintenance ? 'New work is refused with 455. Running tasks finish.' : 'New work is accepted.'}
            </span>
          </section>
          <Section title="Queues">
            <Queues queues={data.queues} />
          </Section>
          {furtherLists(data).map(({ name, rows }) => (
            <Section key={name} title={name.charAt(0).toUpperCase() + name.slice(1)}>
              <PlainTable rows={rows} label={name} />
            </Section>
          ))}
          <Section title="Features">
            <ul class="features">
              {data.features.map(({ name }) => (
                <li key={name}>
                  <Switch label={name} checked={shown(name)} onChange={(on) => ask(name, on)} />
                </li>
              ))}
            </ul>
          </Section>
        </>
      )}
      <Accounts />
    </>
  )
}

const maintenance = 'maintenance'

/** A switch shows what was asked for until the service says the same. */
function useWishes(data: OperatorStatus | null) {
  const [wishes, setWishes] = useState<Record<string, boolean | undefined>>({})
  const reported = (name: string) =>
    name === maintenance ? data?.maintenance : data?.features.find((feature) => feature.name === name)?.enabled
  useEffect(() => {
    setWishes((before) => {
      const open = Object.entries(before).filter(([name, on]) => on !== undefined && on !== reported(name))
      return open.length === Object.keys(before).length ? before : Object.fromEntries(open)
    })
  }, [data])
  return {
    shown: (name: string) => wishes[name] ?? reported(name) ?? false,
    wish: (name: string, on: boolean | undefined) => setWishes((before) => ({ ...before, [name]: on })),
  }
}

function Queues({ queues }: { queues: OperatorStatus['queues'] }) {
  if (queues.length === 0) return <p class="muted">Every queue is empty.</p>
  return (
    <TableBox label="Queues">
      <table>
        <thead>
          <tr>
            <th scope="col">Queue</th>
            <th scope="col" class="number">
              Waiting
            </th>
            <th scope="col" class="number">
              Running
            </th>
            <th scope="col" class="number">
              Oldest
            </th>
          </tr>
        </thead>
        <tbody>
          {queues.map(({ queue, waiting, running, oldestMs }) => (
            <tr key={queue}>
              <td class="mono">{queue}</td>
              <td class="number">{formatCount(waiting)}</td>
              <td class="number">{formatCount(running)}</td>
              <td class="number">{waiting > 0 ? formatDuration(oldestMs) : '–'}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </TableBox>
  )
}

const ownParts = ['queues', 'features', 'maintenance']

function furtherLists(status: OperatorStatus): { name: string; rows: Record<string, unknown>[] }[] {
  return Object.entries(status).flatMap(([name, value]) => {
    if (ownParts.includes(name) || !Array.isArray(value)) return []
    const rows = value.filter(isObject)
    return rows.length > 0 ? [{ name, rows }] : []
  })
}

function PlainTable({ rows, label }: { rows: Record<string, unknown>[]; label: string }) {
  const columns = [...new Set(rows.flatMap(Object.keys))]
  return (
    <TableBox label={label}>
      <table>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column} scope="col">
                {columnLabel(column)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr key={index}>
              {columns.map((column) => (
                <td key={column}>{cellText(column, row[column])}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </TableBox>
  )
}

/** `lastProblem` → `Last problem`. */
function columnLabel(name: string): string {
  const words = name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
  return words.charAt(0).toUpperCase() + words.slice(1)
}

function cellText(column: string, value: unknown): string {
  if (value === null || value === undefined) return '–'
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (typeof value === 'number')
    return /(at|time)$/i.test(column)
      ? formatTime(value)
      : /ms$/i.test(column)
        ? formatDuration(value)
        : formatCount(value)
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
