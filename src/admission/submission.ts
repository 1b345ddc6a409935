// A request for work on its way from a route to its row, and what can be admitted.
import type { ApiError } from '../contract/errors.ts'
import type { Sql, Tx } from '../db/db.ts'
import type { NewJob } from '../queue/queue.ts'
import type { Idempotency } from './idempotency.ts'

export interface Submission<Details> {
  kind: Admittable<Details>
  /** Made before it is stored, so that the row can be found after a lost COMMIT. */
  id: string
  createdAt: number
  accountId: string
  keyId: string
  /** The credits that it costs, or may cost. */
  price: number
  features: string[]
  callBackUrl: string | null
  idempotency: Idempotency | null
  /** Why no engine can take it; null when one can. */
  refusal: ApiError | null
  details: Details
}

/** A submission before admission has given it an id. */
export type NewSubmission<Details> = Omit<Submission<Details>, 'id' | 'createdAt'>

/** A submission with its place in the fair order. */
export type Accepted<Details> = Submission<Details> & { virtualStart: number; virtualFinish: number }

/** Something that can be admitted: tasks, or inference requests. */
export interface Admittable<Details> {
  /**
   * A task's price is held at once. The cost of an inference request is known only when its tokens are counted, so its
   * maximum is only reserved: the request is accepted when the balance covers it and all other open requests, and the
   * charge at its end checks again.
   */
  readonly name: 'task' | 'request'
  /** Inserts the rows of accepted submissions and returns their jobs. */
  store(tx: Tx, accepted: Accepted<Details>[]): Promise<NewJob[]>
  /** Whether this id has a row. */
  isStored(sql: Sql, id: string): Promise<boolean>
  /** The current virtual time; omitted by work that is not served in fair order. */
  virtualNow?(tx: Tx): Promise<number>
  /** Open work of these accounts, per key: how many requests, and the credits that they may cost. */
  openWork?(tx: Tx, accountIds: string[]): Promise<{ account: string; key: string; count: number; credits: number }[]>
}
