// The row of a task that waits, for tests of the database itself.
import type { Param } from '../../src/db/db.ts'
import { newId } from '../../src/platform/ids.ts'

type Row = Record<string, Param>

export function waitingTask(owner: { accountId: string; keyId: string }, nowMs: number, changes: Row = {}): Row {
  return {
    id: newId(nowMs),
    account_id: owner.accountId,
    key_id: owner.keyId,
    model: 'm',
    engine: 'e',
    state: 'wait',
    param: '{}',
    request: '{}',
    via: 'task',
    ignored_fields: '[]',
    price: 1,
    virtual_start: 0,
    virtual_finish: 1,
    progress: 0,
    attempt: 0,
    created_at: nowMs,
    updated_at: nowMs,
    state_at: nowMs,
    ...changes,
  }
}
