// Callbacks: what was delivered, sending again, and the secret that signs. Checking a signature is verify-webhook.ts.
import { type Connection, pathPart, type RequestOptions } from '../transport/connection.ts'
import { type PageOptions, type Pages, pagesOf } from '../transport/pages.ts'

export type DeliveryState = 'pending' | 'delivered' | 'failed'

export interface Delivery {
  /** Sent as `webhook-id`, the same over all tries. */
  id: string
  kind: 'task' | 'inference'
  /** The task or inference request that it tells of. */
  taskId: string
  url: string
  state: DeliveryState
  tries: number
  nextTryTime: number | null
  createTime: number
  endTime: number | null
  attempts: {
    time: number
    durationMs: number
    status: number | null
    error: string | null
    answer: string | null
  }[]
}

export interface SigningSecret {
  secret: string
  /** Until when the secret before this one signs too. */
  previousUntil: number | null
}

export interface Webhooks {
  deliveries(filter?: PageOptions & { state?: DeliveryState }): Pages<Delivery>
  resend(id: string, options?: RequestOptions): Promise<{ id: string; state: DeliveryState }>
  secret(options?: RequestOptions): Promise<SigningSecret>
  rotateSecret(options?: RequestOptions): Promise<SigningSecret>
}

export function createWebhooks(connection: Connection): Webhooks {
  const path = '/api/v1/webhooks'
  const repeat = 'if-refused'
  return {
    deliveries: (filter = {}) => pagesOf(connection, `${path}/deliveries`, { ...filter }),
    resend: (id, options) =>
      connection.call({ method: 'POST', path: `${path}/deliveries/${pathPart(id)}/resend`, repeat, ...options }),
    secret: (options) => connection.call({ method: 'GET', path: `${path}/secret`, ...options }),
    rotateSecret: (options) => connection.call({ method: 'POST', path: `${path}/secret/rotate`, repeat, ...options }),
  }
}
