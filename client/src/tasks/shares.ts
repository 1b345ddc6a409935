// Links that show the video of a task without a key.
import type { MadeShare, NewShare, Share } from '../contract.ts'
import { type Connection, pathPart, type RequestOptions } from '../transport/connection.ts'

export interface Shares {
  /** The URL is shown only once. */
  create(taskId: string, share?: NewShare, options?: RequestOptions): Promise<MadeShare>
  /** Links that still work. */
  list(taskId: string, options?: RequestOptions): Promise<Share[]>
  revoke(taskId: string, id: string, options?: RequestOptions): Promise<{ id: string }>
}

export function createShares(connection: Connection): Shares {
  const of = (taskId: string) => `/api/v1/jobs/${pathPart(taskId)}/shares`
  const repeat = 'if-refused'
  return {
    create: (taskId, share = {}, options) =>
      connection.call({ method: 'POST', path: of(taskId), json: share, repeat, ...options }),
    async list(taskId, options) {
      return (await connection.call<{ items: Share[] }>({ method: 'GET', path: of(taskId), ...options })).items
    },
    revoke: (taskId, id, options) =>
      connection.call({ method: 'DELETE', path: `${of(taskId)}/${pathPart(id)}`, repeat, ...options }),
  }
}
