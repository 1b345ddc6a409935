// Callbacks: deliveries, resending, listening, and the signing secret. Signatures are verified in verify-webhook.ts.
import type {
  Delivery,
  DeliveryState,
  InspectedDelivery,
  ListenedDelivery,
  ResendDeliveries,
  SigningSecret,
} from '../contract.ts'
import { type Connection, pathPart, type RequestOptions } from '../transport/connection.ts'
import { type PageOptions, type Pages, pagesOf } from '../transport/pages.ts'
import { type ListenOptions, listen } from './listen.ts'

export interface DeliveryFilter {
  state?: DeliveryState | undefined
  taskId?: string | undefined
  /** A part of the URL. */
  url?: string | undefined
  /** The end of its id. */
  id?: string | undefined
}

export interface Webhooks {
  deliveries(filter?: DeliveryFilter & PageOptions): Pages<Delivery>
  /** One delivery with its payload and the headers of every attempt. */
  delivery(id: string, options?: RequestOptions): Promise<InspectedDelivery>
  resend(id: string, options?: RequestOptions): Promise<{ id: string; state: DeliveryState }>
  /** Resends the deliveries with these ids, or all that failed since a time; at most 1000 at once. */
  resendMany(which: ResendDeliveries, options?: RequestOptions): Promise<{ resent: number; more: boolean }>
  /** Sends a signed event with made-up values. */
  test(url: string, options?: RequestOptions): Promise<{ id: string; state: DeliveryState }>
  /**
   * Callbacks as they are sent, with the headers and the body that their receiver gets; for a key of the account itself.
   * Reconnects when the connection breaks, and misses what is sent until then. Ends when `signal` aborts.
   */
  listen(options?: ListenOptions): AsyncGenerator<ListenedDelivery, never>
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
    delivery: (id, options) =>
      connection.call({ method: 'GET', path: `${path}/deliveries/${pathPart(id)}`, ...options }),
    resendMany: (which, options) =>
      connection.call({ method: 'POST', path: `${path}/deliveries/resend`, json: which, repeat, ...options }),
    test: (url, options) =>
      connection.call({ method: 'POST', path: `${path}/test`, json: { url }, repeat, ...options }),
    listen: (options) => listen(connection, options),
    secret: (options) => connection.call({ method: 'GET', path: `${path}/secret`, ...options }),
    rotateSecret: (options) => connection.call({ method: 'POST', path: `${path}/secret/rotate`, repeat, ...options }),
  }
}
