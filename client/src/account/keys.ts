// Sub-keys of the calling key, and for operators all keys: list, create, update, rotate, revoke.
import type { KeyChanges, ListedKey, NewKey, NewSubKey, ShownKey, SigningSecret, SubKey } from '../contract.ts'
import { type Connection, pathPart, type RequestOptions } from '../transport/connection.ts'
import { allOf, type PageOptions, type Pages, pagesOf } from '../transport/pages.ts'

interface KeyActs<Key, New, Revoked> {
  /** Oldest first, revoked ones included. */
  pages(options?: PageOptions): Pages<Key>
  create(key: New, options?: RequestOptions): Promise<ShownKey>
  /** Omitted fields stay as they are; `null` removes a limit. */
  update(id: string, changes: KeyChanges, options?: RequestOptions): Promise<Key>
  /** A new secret; the old one stops working at once, or after `overlap`. Of one's own keys, `self` is the key in use. */
  rotate(id: string, options?: RequestOptions & { overlap?: string | undefined }): Promise<ShownKey>
  revoke(id: string, options?: RequestOptions): Promise<Revoked>
}

/** Keys of every account. */
export type AllKeys = KeyActs<ListedKey, NewKey, { id: string; subKeys: number }>

export interface Keys extends KeyActs<SubKey, NewSubKey, { id: string }> {
  /** All sub-keys, oldest first, revoked ones included; reads page after page. */
  list(options?: RequestOptions): Promise<SubKey[]>
  /** The secret that signs the callbacks of a sub-key, or of the key in use (`self`). */
  webhookSecret(id: string, options?: RequestOptions): Promise<SigningSecret>
  rotateWebhookSecret(id: string, options?: RequestOptions): Promise<SigningSecret>
}

const repeat = 'if-refused'

export function createKeyActs<Key, New, Revoked>(connection: Connection, path: string): KeyActs<Key, New, Revoked> {
  return {
    pages: (options) => pagesOf(connection, path, { ...options }),
    create: (key, options) => connection.call({ method: 'POST', path, json: key, repeat, ...options }),
    update: (id, changes, options) =>
      connection.call({ method: 'PATCH', path: `${path}/${pathPart(id)}`, json: changes, repeat, ...options }),
    rotate: (id, { overlap, ...options } = {}) => {
      const json = overlap === undefined ? {} : { overlap }
      return connection.call({ method: 'POST', path: `${path}/${pathPart(id)}/rotate`, json, repeat, ...options })
    },
    revoke: (id, options) => connection.call({ method: 'DELETE', path: `${path}/${pathPart(id)}`, repeat, ...options }),
  }
}

export function createKeys(connection: Connection): Keys {
  const path = '/api/v1/keys'
  return {
    ...createKeyActs(connection, path),
    list: (options) => allOf(pagesOf(connection, path, { ...options })),
    webhookSecret: (id, options) =>
      connection.call({ method: 'GET', path: `${path}/${pathPart(id)}/webhook-secret`, ...options }),
    rotateWebhookSecret: (id, options) =>
      connection.call({ method: 'POST', path: `${path}/${pathPart(id)}/webhook-secret/rotate`, repeat, ...options }),
  }
}
