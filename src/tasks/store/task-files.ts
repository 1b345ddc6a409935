// Stores files for a task: the rows first, then the bytes, so that bytes left by a crash are found and swept. Only the
// worker that holds the task's job may do so. Whatever it has stored by the time the task ends is expired by that end, and
// later it can store nothing.
import type { GroupCommit } from '../../commit/group-commit.ts'
import type { Clock } from '../../platform/clock.ts'
import { untilAborted } from '../../platform/until-aborted.ts'
import { waitForAll } from '../../platform/wait-for-all.ts'
import type { Job, Queue } from '../../queue/queue.ts'
import { JobLostError } from '../../queue/queue.ts'
import { type FileRow, type NewFile, reserveFiles } from '../../storage/files.ts'
import type { Storage } from '../../storage/storage.ts'
import type { TaskRow } from './task-row.ts'

/** A finished file in the work folder. */
type TaskFile = Pick<NewFile, 'purpose' | 'name' | 'mime' | 'bytes' | 'expires_at'> & { path: string }

/** Rejects with a JobLostError if the task has ended or is another worker's. */
export type StoreFiles = (task: TaskRow, held: HeldJob, files: TaskFile[]) => Promise<FileRow[]>

/** The job of this worker for the task; `signal` aborts when it is lost, or the worker stops. */
export interface HeldJob {
  job: Job
  signal: AbortSignal
}

interface StoreFilesDeps {
  transactions: GroupCommit
  queue: Queue
  clock: Clock
  storage: Storage
}

interface Request {
  job: Job
  files: NewFile[]
}

export function createStoreFiles({ transactions, queue, clock, storage }: StoreFilesDeps): StoreFiles {
  const reserve = transactions.stage<Request, FileRow[]>({
    name: 'reserved files',
    async work(tx, requests) {
      const held = await queue.lockClaimed(
        tx,
        requests.map(({ job }) => job),
      )
      const rows = await reserveFiles(
        tx,
        requests.flatMap(({ job, files }) => (held.has(job) ? files : [])),
        clock.now(),
      )
      let from = 0
      return requests.map(({ job, files }) =>
        held.has(job) ? rows.slice(from, (from += files.length)) : new JobLostError(),
      )
    },
    locks: ({ job }) => ({ jobOf: job.subject }),
  })
  return async (task, { job, signal }, files) => {
    const rows = await reserve({
      job,
      files: files.map(({ path: _path, ...file }) => ({ account_id: task.account_id, task_id: task.id, ...file })),
    })
    const puts = rows.map((row, i) => storage.put(row.storage_key, files[i]!.path, signal))
    // A storage that hangs must hold up neither a canceled task nor a worker that stops. When one file fails, the others
    // are waited for: bytes that arrive after their row was swept would stay.
    await untilAborted(waitForAll(puts), signal)
    return rows
  }
}
