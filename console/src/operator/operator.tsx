// For keys with the operator right: queues, engines, workers, switches and accounts.
import { useEffect, useState } from 'preact/hooks'
import { countedJobsMax, type OperatorStatus } from '../api-types.ts'
import { formatClock, formatCount, formatDuration } from '../format.ts'
import { useAction, useLoaded } from '../hooks.ts'
import { useTitle } from '../router.ts'
import { useSession } from '../session.ts'
import { Confirm, Loading, Notice, Section, Switch, ViewHead } from '../ui/parts.tsx'
import { Table } from '../ui/table.tsx'
import { Accounts } from './accounts.tsx'
import { Engines } from './engines.tsx'
import { OperatorTabs } from './operator-tabs.tsx'

export function OperatorView() {
  const { api } = useSession()
  const status = useLoaded(() => api.operator.status(), [api], 2000)
  const action = useAction()
  const data = status.data
  const { shown, wish } = useWishes(data)
  const [asked, setAsked] = useState<{ name: string; on: boolean } | null>(null)
  useTitle('Operator')
  const change = async (name: string, on: boolean) => {
    wish(name, on)
    const changed = name === maintenance ? api.operator.setMaintenance(on) : api.operator.setFeature(name, on)
    await changed.catch((error) => {
      wish(name, undefined)
      throw error
    })
    status.reload()
  }
  // A change that stops the work of others needs a confirmation.
  const ask = (name: string, on: boolean) =>
    (name === maintenance) === on ? setAsked({ name, on }) : action.run(() => change(name, on))
  return (
    <>
      <ViewHead title="Operator">
        <OperatorTabs current="overview" />
      </ViewHead>
      {asked && (
        <Confirm
          title={asked.name === maintenance ? 'Start maintenance?' : `Switch ${asked.name} off?`}
          text={
            asked.name === maintenance
              ? 'New work is refused with 455 for every account until you end it. Running tasks finish.'
              : 'Requests that need it are refused with 505 for every account until you switch it on.'
          }
          verb={asked.name === maintenance ? 'Start maintenance' : 'Switch off'}
          action={action}
          onConfirm={() => {
            setAsked(null)
            return change(asked.name, asked.on)
          }}
          onClose={() => setAsked(null)}
        />
      )}
      <Notice problem={status.problem ?? action.problem} />
      <Loading until={data || status.problem} />
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
          <Engines engines={data.engines} />
          <Section title="Workers">
            <Workers workers={data.workers} />
          </Section>
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

/** A switch shows the requested state until the service reports it. */
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

const queueNames: Record<string, string> = {
  prepare: 'Checking input files',
  generate: 'Rendering',
  deliver: 'Callbacks',
  'deliver:later': 'Callbacks, retries',
  'deliver:large': 'Callbacks, large',
  infer: 'Inference',
}

/** `generate:studio` → `Rendering, studio`. */
function queueWords(queue: string): string {
  const [kind = '', part] = queue.split(':')
  const known = queueNames[kind] ?? kind
  return queueNames[queue] ?? (part === undefined ? known : `${known}, ${part}`)
}

function Queues({ queues }: { queues: OperatorStatus['queues'] }) {
  if (queues.length === 0) return <p class="muted">Every queue is empty.</p>
  return (
    <Table label="Queues" columns={['Queue', { number: 'Waiting' }, { number: 'Running' }, { number: 'Longest wait' }]}>
      {queues.map(({ queue, waiting, running, oldestMs }) => (
        <tr key={queue}>
          <td>{queueWords(queue)}</td>
          <td class="number">
            {formatCount(waiting)}
            {waiting >= countedJobsMax ? '+' : ''}
          </td>
          <td class="number">{formatCount(running)}</td>
          {/* Jobs that wait for their time, such as retries, are not late. */}
          <td class="number">{oldestMs > 0 ? formatDuration(oldestMs) : '–'}</td>
        </tr>
      ))}
    </Table>
  )
}

function Workers({ workers }: { workers: OperatorStatus['workers'] }) {
  if (workers.length === 0) return <p class="muted">No worker has reported in the last 20 seconds.</p>
  return (
    <Table
      label="Workers"
      name="workers"
      columns={['Worker', 'Work', { number: 'Running' }, { number: 'Slots' }, { number: 'Seen' }]}
    >
      {workers.map(({ worker, queue, slots, running, seenAt }) => (
        <tr key={`${worker} ${queue}`}>
          <td class="mono">{worker}</td>
          <td>{queueWords(queue)}</td>
          <td class="number">{formatCount(running)}</td>
          <td class="number">{formatCount(slots)}</td>
          <td class="number muted">{formatClock(seenAt)}</td>
        </tr>
      ))}
    </Table>
  )
}
