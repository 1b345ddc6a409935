// What passes between the service and a child process: plain values, few verbs, one job at a time.

export type ToChild<Job> = { verb: 'run'; id: number; job: Job } | { verb: 'abort'; id: number }

export type FromChild<Result> =
  /** The module has loaded; sent once, before anything else. */
  | { verb: 'ready' }
  | { verb: 'progress'; id: number; percent: number; rssBytes: number }
  | { verb: 'done'; id: number; result: Result }
  /** The work threw an error. Problems of a job's input belong in its result instead. */
  | { verb: 'failed'; id: number; message: string }
