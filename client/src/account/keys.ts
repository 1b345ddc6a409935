// Sub-keys of the calling key: listing, making, changing, rotating, revoking.
import type { KeyChanges, NewSubKey, ShownKey, SubKey } from '../contract.ts'
import { type Connection, pathPart, type RequestOptions } from '../transport/connection.ts'

export interface Keys {
  list(options?: RequestOptions): Promise<SubKey[]>
  create(key: NewSubKey, options?: RequestOptions): Promise<ShownKey>
  /** Fields that are left out stay; `null` removes a limit. */
  update(id: string, changes: KeyChanges, options?: RequestOptions): Promise<SubKey>
  /** A new secret for the same sub-key; the old one stops working at once. */
  rotate(id: string, options?: RequestOptions): Promise<ShownKey>
  revoke(id: string, options?: RequestOptions): Promise<{ id: string }>
}

export function createKeys(connection: Connection): Keys {
  const path = '/api/v1/keys'
  const repeat = 'if-refused'
  return {
    async list(options) {
      return (await connection.call<{ items: SubKey[] }>({ method: 'GET', path, ...options })).items
    },
    create: (key, options) => connection.call({ method: 'POST', path, json: key, repeat, ...options }),
    update: (id, changes, options) =>
      connection.call({ method: 'PATCH', path: `${path}/${pathPart(id)}`, json: changes, repeat, ...options }),
    rotate: (id, options) =>
      connection.call({ method: 'POST', path: `${path}/${pathPart(id)}/rotate`, repeat, ...options }),
    revoke: (id, options) => connection.call({ method: 'DELETE', path: `${path}/${pathPart(id)}`, repeat, ...options }),
  }
}
