// Every account's tasks, for operators: found by account, prompt and state, with the whole record of each.
import { useState } from 'preact/hooks'
import { promptOf } from '../../../client/src/records.ts'
import { listedStates, type OperatorTask } from '../api-types.ts'
import { formatCount, formatDuration, formatTime } from '../format.ts'
import { useLoaded } from '../hooks.ts'
import { OlderButton, usePages } from '../pages.tsx'
import { useQuery, useSearchText, useTitle } from '../router.ts'
import { useSession } from '../session.ts'
import { failureOf, shownState } from '../task-facts.ts'
import { RecordFields } from '../tasks/record-fields.tsx'
import { Select } from '../ui/fields.tsx'
import { Dialog, Empty, Loading, Notice, ViewHead } from '../ui/parts.tsx'
import { StateBadge, stateWord } from '../ui/state-badge.tsx'
import { Table } from '../ui/table.tsx'
import { OperatorTabs } from './operator-tabs.tsx'

const pageSize = 50

export function AllTasksView() {
  const { api } = useSession()
  const [query, setQuery] = useQuery()
  const account = query.get('account') ?? ''
  const state = listedStates.find((value) => value === query.get('state'))
  const q = query.get('q') ?? ''
  const [text, setText] = useSearchText()
  // A menu of more accounts would be of no use.
  const accounts = useLoaded(async () => (await api.operator.accountPages().page()).items, [api])
  const filter = { limit: pageSize, q: q.trim() || undefined, account: account || undefined, state }
  const shown = JSON.stringify(filter)
  const pages = usePages((cursor) => api.operator.tasks(filter).page(cursor), shown, 10_000)
  const [opened, setOpened] = useState<OperatorTask | null>(null)
  useTitle('All tasks')
  return (
    <>
      <ViewHead title="All tasks">
        <OperatorTabs current="tasks" />
      </ViewHead>
      <div class="row wrap callback-filters">
        <input
          type="search"
          data-slash
          placeholder="Prompt or task id"
          aria-label="Prompt or task id"
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
        <Select
          label="Account"
          value={account}
          options={[['', 'Every account'], ...(accounts.data ?? []).map(({ name }) => [name, name] as const)]}
          onChange={(name) => setQuery({ account: name })}
        />
        <Select
          label="State"
          value={state ?? ''}
          options={[['', 'Every state'], ...listedStates.map((each) => [each, stateWord(each)] as const)]}
          onChange={(value) => setQuery({ state: value })}
        />
      </div>
      <Notice problem={pages.problem} />
      <Loading until={pages.isLoaded || pages.problem} />
      {pages.items.length > 0 && (
        <Table
          label="Tasks of every account"
          name="all-tasks"
          columns={['Created', 'Account', 'Prompt', 'State', { number: 'Took' }, { number: 'Credits' }]}
        >
          {pages.items.map((task) => (
            <tr key={task.taskId}>
              <td class="muted">{formatTime(task.createTime)}</td>
              <td>{task.account}</td>
              <td class="prompt-cell">
                <button type="button" class="link clip" dir="auto" onClick={() => setOpened(task)}>
                  {promptOf(task) || task.taskId}
                </button>
              </td>
              <td>
                <StateBadge state={shownState(task)} />
              </td>
              <td class="number">{task.costTime === null ? '–' : formatDuration(task.costTime)}</td>
              <td class="number">{formatCount(task.creditsConsumed)}</td>
            </tr>
          ))}
        </Table>
      )}
      {pages.isLoaded && pages.items.length === 0 && !pages.loadOlder && (
        <Empty title="Nothing matches">No task of any account fits these filters.</Empty>
      )}
      <OlderButton pages={pages} what="tasks" />
      {opened && <TaskDialog task={opened} onClose={() => setOpened(null)} />}
    </>
  )
}

function TaskDialog({ task, onClose }: { task: OperatorTask; onClose(): void }) {
  return (
    <Dialog title={promptOf(task) || task.taskId} onClose={onClose} wide>
      <p class="row wrap">
        <StateBadge state={shownState(task)} />
        <span class="muted">
          {task.account} · {task.model} · {formatTime(task.createTime)}
        </span>
      </p>
      {shownState(task) === 'fail' && <Notice>{failureOf(task)}</Notice>}
      <RecordFields task={task} />
      <div class="row end">
        <button type="button" class="button primary" onClick={onClose}>
          Done
        </button>
      </div>
    </Dialog>
  )
}
