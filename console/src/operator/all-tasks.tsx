// Every account's tasks, for operators: found by account, prompt and state, with the whole record of each.
import { useEffect, useState } from 'preact/hooks'
import { type OperatorTask, type Page, type TaskState, taskStates } from '../api-types.ts'
import { formatCount, formatDuration, formatTime } from '../format.ts'
import { useAction, useLoaded, useSettled } from '../hooks.ts'
import { useQuery, useTitle } from '../router.ts'
import { useSession } from '../session.ts'
import { promptOf, shownState } from '../task-facts.ts'
import { RecordFields } from '../tasks/record-fields.tsx'
import { Dialog, Empty, Notice, TableBox, ViewHead } from '../ui/parts.tsx'
import { StateBadge, stateWord } from '../ui/state-badge.tsx'
import { OperatorTabs } from './operator-tabs.tsx'

const pageSize = 50
const typingPauseMs = 250

export function AllTasksView() {
  const { api } = useSession()
  const [query, setQuery] = useQuery()
  const account = query.get('account') ?? ''
  const state = taskStates.find((value) => value === query.get('state'))
  const [text, setText] = useState(query.get('q') ?? '')
  const q = useSettled(text.trim(), typingPauseMs)
  useEffect(() => setQuery({ q }), [q, setQuery])
  const accounts = useLoaded(() => api.accounts(), [api])
  const filter = { limit: pageSize, q: q || undefined, account: account || undefined, state }
  const first = useLoaded(() => api.allTasks(filter), [api, q, account, state], 10_000)
  const [tail, setTail] = useState<Page<OperatorTask> | null>(null)
  useEffect(() => setTail(null), [q, account, state])
  const [opened, setOpened] = useState<OperatorTask | null>(null)
  const action = useAction()
  useTitle('All tasks')
  const known = new Set(first.data?.items.map(({ taskId }) => taskId))
  const items = [...(first.data?.items ?? []), ...(tail?.items ?? []).filter(({ taskId }) => !known.has(taskId))]
  const cursor = tail ? tail.nextCursor : first.data?.nextCursor
  const more = () =>
    action.run(async () => {
      const page = await api.allTasks({ ...filter, cursor: cursor ?? undefined })
      setTail({ items: [...(tail?.items ?? []), ...page.items], nextCursor: page.nextCursor })
    })
  return (
    <>
      <ViewHead title="All tasks">
        <OperatorTabs current="tasks" />
      </ViewHead>
      <div class="row wrap callback-filters">
        <input
          type="search"
          data-slash
          placeholder="Search prompts"
          aria-label="Search prompts"
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
        <select
          aria-label="Account"
          value={account}
          onChange={(event) => setQuery({ account: event.currentTarget.value })}
        >
          <option value="">Every account</option>
          {accounts.data?.map(({ id, name }) => (
            <option key={id} value={name}>
              {name}
            </option>
          ))}
        </select>
        <select
          aria-label="State"
          value={state ?? ''}
          onChange={(event) => setQuery({ state: event.currentTarget.value as TaskState })}
        >
          <option value="">Every state</option>
          {taskStates.map((each) => (
            <option key={each} value={each}>
              {stateWord(each)}
            </option>
          ))}
        </select>
      </div>
      <Notice problem={first.problem ?? action.problem} />
      {items.length > 0 && (
        <TableBox label="Tasks of every account" name="all-tasks">
          <table>
            <thead>
              <tr>
                <th scope="col">Created</th>
                <th scope="col">Account</th>
                <th scope="col">Prompt</th>
                <th scope="col">State</th>
                <th scope="col" class="number">
                  Took
                </th>
                <th scope="col" class="number">
                  Credits
                </th>
              </tr>
            </thead>
            <tbody>
              {items.map((task) => (
                <tr key={task.taskId}>
                  <td class="muted">{formatTime(task.createTime)}</td>
                  <td>{task.account}</td>
                  <td class="prompt-cell">
                    <button type="button" class="link clip" onClick={() => setOpened(task)}>
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
            </tbody>
          </table>
        </TableBox>
      )}
      {first.data && items.length === 0 && !cursor && (
        <Empty title="Nothing matches">No task of any account fits these filters.</Empty>
      )}
      {cursor && (
        <p class="list-foot">
          <button type="button" class="button small" disabled={action.busy} onClick={more}>
            Older tasks
          </button>
        </p>
      )}
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
      {shownState(task) === 'fail' && <Notice>{task.failMsg}</Notice>}
      <RecordFields task={task} />
      <div class="row end">
        <button type="button" class="button primary" onClick={onClose}>
          Done
        </button>
      </div>
    </Dialog>
  )
}
