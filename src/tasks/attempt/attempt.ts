// One run of a task on an engine, and what its steps use: begin, place, follow, end.
import type { GroupCommit } from '../../commit/group-commit.ts'
import type { Db } from '../../db/db.ts'
import type { Engine, Handle } from '../../engines/engine.ts'
import type { Fleet } from '../../engines/fleet/fleet.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Logger } from '../../platform/logger.ts'
import type { Job, Queue } from '../../queue/queue.ts'
import type { FileHealth } from '../../storage/file-health.ts'
import type { Storage } from '../../storage/storage.ts'
import type { WorkFolder } from '../../storage/work-folder.ts'
import type { TaskEvents } from '../events.ts'
import type { Finish } from '../finish/finish.ts'
import type { History } from '../store/attempts.ts'
import type { FindTask } from '../store/read.ts'
import type { StoreFiles } from '../store/task-files.ts'
import type { TaskRow } from '../store/task-row.ts'

export interface Attempt {
  engine: Engine
  task: TaskRow
  /** Its `attempt` is the number of this one. */
  job: Job
  /** The attempts before this one. */
  history: History
}

export interface AttemptDeps {
  db: Db
  transactions: GroupCommit
  queue: Queue
  clock: Clock
  events: TaskEvents
  storage: Storage
  files: FileHealth
  log: Logger
  find: FindTask
  finish: Finish
  storeFiles: StoreFiles
  /** Asks an engine to stop its work on a task, without waiting for it. */
  stopEngine(engine: string, handle: Handle): void
  withFolder: WorkFolder['withFolder']
  /** Aborts when this process stops. */
  stopping: AbortSignal
  videoTtlMs: number
  upstreamSilenceMs: number
  /** For metrics: the outcome of an engine's attempt. */
  onAttempt(engine: string, result: 'success' | 'failed' | 'retried' | 'silent'): void
  fleet: Fleet
}
