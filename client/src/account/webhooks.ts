// Callbacks: what was delivered, sending again, and the secret that signs. Checking a signature is verify-webhook.ts.
import type { Delivery, DeliveryState, SigningSecret } from '../contract.ts'
import { type Connection, pathPart, type RequestOptions } from '../transport/connection.ts'
import { type PageOptions, type Pages, pagesOf } from '../transport/pages.ts'

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
