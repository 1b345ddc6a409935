// Sub-keys of the calling key: list, create, update, rotate, revoke.
import type { KeyChanges, NewSubKey, ShownKey, SigningSecret, SubKey } from '../contract.ts'
import { type Connection, pathPart, type RequestOptions } from '../transport/connection.ts'
import { allOf, type PageOptions, type Pages, pagesOf } from '../transport/pages.ts'

export interface Keys {
  /** All sub-keys, oldest first, revoked ones included; reads page after page. */
  list(options?: RequestOptions): Promise<SubKey[]>
  /** The same page by page. */
  pages(options?: PageOptions): Pages<SubKey>
  create(key: NewSubKey, options?: RequestOptions): Promise<ShownKey>
  /** Omitted fields stay as they are; `null` removes a limit. */
  update(id: string, changes: KeyChanges, options?: RequestOptions): Promise<SubKey>
  /** A new secret for a sub-key, or for the key in use (`self`); the old one stops working at once, or after `overlap`. */
  rotate(id: string, options?: RequestOptions & { overlap?: string | undefined }): Promise<ShownKey>
  /** The secret that signs the callbacks of a sub-key, or of the key in use (`self`). */
  webhookSecret(id: string, options?: RequestOptions): Promise<SigningSecret>
  rotateWebhookSecret(id: string, options?: RequestOptions): Promise<SigningSecret>
  revoke(id: string, options?: RequestOptions): Promise<{ id: string }>
}

export function createKeys(connection: Connection): Keys {
  const path = '/api/v1/keys'
  const repeat = 'if-refused'
  return {
    list: (options) => allOf(pagesOf(connection, path, { ...options })),
    pages: (options) => pagesOf(connection, path, { ...options }),
    create: (key, options) => connection.call({ method: 'POST', path, json: key, repeat, ...options }),
    update: (id, changes, options) =>
      connection.call({ method: 'PATCH', path: `${path}/${pathPart(id)}`, json: changes, repeat, ...options }),
    rotate: (id, { overlap, ...options } = {}) => {
      const json = overlap === undefined ? {} : { overlap }
      return connection.call({ method: 'POST', path: `${path}/${pathPart(id)}/rotate`, json, repeat, ...options })
    },
    webhookSecret: (id, options) =>
      connection.call({ method: 'GET', path: `${path}/${pathPart(id)}/webhook-secret`, ...options }),
    rotateWebhookSecret: (id, options) =>
      connection.call({ method: 'POST', path: `${path}/${pathPart(id)}/webhook-secret/rotate`, repeat, ...options }),
    revoke: (id, options) => connection.call({ method: 'DELETE', path: `${path}/${pathPart(id)}`, repeat, ...options }),
  }
}
