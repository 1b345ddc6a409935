// Selects all listed tasks, and does something with those that are selected: download as a zip, run again, cancel, delete.
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { InvalidRequest, NotFound } from '../../../client/src/errors.ts'
import { videoFileName, videoUrlOf } from '../../../client/src/records.ts'
import type { Api } from '../api.ts'
import { formatCount, formatCounted, localFileUrl } from '../format.ts'
import { isFinal, useAction } from '../hooks.ts'
import { repeat } from '../playground/runs/repeat.ts'
import { useSession } from '../session.ts'
import { Confirm, Notice } from '../ui/parts.tsx'
import { saveFile } from '../usage/save-file.ts'
import type { TaskItem } from './task-pages.ts'

interface SelectionBarProps {
  /** All that are listed. */
  items: TaskItem[]
  selected: TaskItem[]
  onAll(): void
  onClear(): void
  /** These tasks need no further action: they are no longer selected. */
  onDone(taskIds: string[]): void
  onDeleted(taskIds: string[]): void
}

export function SelectionBar({ items, selected, onAll, onClear, onDone, onDeleted }: SelectionBarProps) {
  const { api, models, refreshBalance, may } = useSession()
  const mayChange = may('tasks:write')
  const [asking, setAsking] = useState(false)
  const [note, setNote] = useState('')
  const action = useAction()
  const finished = selected.filter((item) => item.state === 'success')
  const ended = selected.filter(isFinal)
  const open = selected.filter((item) => !isFinal(item))

  const download = () =>
    action.run(async () => {
      const { downloadZip } = await import('client-zip')
      const zip = downloadZip(videosOf(api, finished, (count) => setNote(`${count} of ${finished.length} packed`)))
      saveFile(await zip.blob(), `dailies-${finished.length}-videos.zip`)
      setNote('')
    })
  /** Stops at the first failure. What was done until then is no longer selected, so that it is not done twice. */
  const forEach = async (
    items: TaskItem[],
    act: (taskId: string, index: number) => Promise<unknown>,
    after: (taskIds: string[]) => void,
  ) => {
    const done: string[] = []
    try {
      for (const [index, { taskId }] of items.entries()) {
        await act(taskId, index)
        done.push(taskId)
      }
    } finally {
      setNote('')
      after(done)
      onDone(done)
    }
  }
  const again = () =>
    action.run(() =>
      forEach(
        ended,
        async (taskId, index) => {
          await repeat(api, await api.getTask(taskId), models)
          setNote(`${index + 1} of ${ended.length} sent`)
        },
        refreshBalance,
      ),
    )
  // What ended or was deleted elsewhere meanwhile needs no further action.
  const cancel = () =>
    action.run(() =>
      forEach(open, (taskId) => unlessRefused(api.cancel(taskId), InvalidRequest, NotFound), refreshBalance),
    )
  const remove = async () => {
    await forEach(ended, (taskId) => unlessRefused(api.deleteTask(taskId), NotFound), onDeleted)
    setAsking(false)
  }
  return (
    <section class="selection" aria-label="Selected tasks">
      <div class="selection-bar">
        <SelectAll listed={items.length} selected={selected.length} onAll={onAll} onClear={onClear} />
        <span class="figures" aria-live="polite">
          {selected.length > 0 && `${formatCount(selected.length)} selected`} <span class="muted">{note}</span>
        </span>
        {selected.length > 0 && (
          <div class="row selection-actions">
            <button
              type="button"
              class="button small"
              disabled={action.busy || finished.length === 0}
              onClick={download}
            >
              Download {finished.length > 0 ? finished.length : ''} as zip
            </button>
            {mayChange && (
              <button type="button" class="button small" disabled={action.busy || ended.length === 0} onClick={again}>
                Run again
              </button>
            )}
            {mayChange && open.length > 0 && (
              <button type="button" class="button small" disabled={action.busy} onClick={cancel}>
                Cancel {formatCounted(open.length, 'task')}
              </button>
            )}
            {mayChange && (
              <button
                type="button"
                class="button small"
                disabled={action.busy || ended.length === 0}
                onClick={() => setAsking(true)}
              >
                Delete
              </button>
            )}
            <button type="button" class="button bare small" onClick={onClear}>
              Clear
            </button>
          </div>
        )}
      </div>
      {!asking && <Notice problem={action.problem} />}
      {asking && (
        <Confirm
          title={`Delete ${formatCounted(ended.length, 'task')}?`}
          text="Their records and files are deleted permanently. What they cost stays in the ledger."
          verb="Delete"
          action={action}
          onConfirm={remove}
          onClose={() => setAsking(false)}
        />
      )}
    </section>
  )
}

interface SelectAllProps {
  listed: number
  selected: number
  onAll(): void
  onClear(): void
}

function SelectAll({ listed, selected, onAll, onClear }: SelectAllProps) {
  const box = useRef<HTMLInputElement>(null)
  const isAll = selected > 0 && selected === listed
  const hadSome = useRef(false)
  useLayoutEffect(() => {
    // The button that had the focus is no longer there.
    if (hadSome.current && selected === 0 && document.activeElement?.matches('body')) box.current?.focus()
    hadSome.current = selected > 0
  }, [selected])
  return (
    <label class="select-all">
      <input
        ref={box}
        type="checkbox"
        checked={isAll}
        indeterminate={selected > 0 && !isAll}
        onChange={() => (isAll ? onClear() : onAll())}
      />
      <span>Select all</span>
    </label>
  )
}

/** Waits for an action, which may be refused in these ways. */
async function unlessRefused(
  action: Promise<unknown>,
  ...refusals: (new (
    ...args: never[]
  ) => Error)[]
): Promise<void> {
  await action.catch((error) => {
    if (!refusals.some((refusal) => error instanceof refusal)) throw error
  })
}

/** One video after the other, each read while it is packed. */
async function* videosOf(api: Api, items: TaskItem[], onPacked: (count: number) => void) {
  for (const [index, { taskId }] of items.entries()) {
    const task = await api.getTask(taskId)
    const url = videoUrlOf(task)
    const response = url ? await fetch(localFileUrl(url) ?? url) : null
    // An expired video is left out.
    if (response?.ok) yield { name: videoFileName(task), lastModified: new Date(task.createTime), input: response }
    onPacked(index + 1)
  }
}
