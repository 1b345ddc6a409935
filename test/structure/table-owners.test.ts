// A table has one owner: one folder writes it, others call that folder's functions.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { findForeignWrites, type Owners, readSources, writesOf } from './table-owners.ts'

const owners: Owners = {
  accounts: 'accounts',
  keys: 'accounts',
  ledger: 'accounts',
  sessions: 'accounts',
  free_work: 'limits',
  retired_keys: 'accounts',
  audit: 'audit',
  audit_retention: 'audit',
  window_counts: 'limits',
  switches: 'accounts',
  idempotency: 'admission',
  schema_migrations: 'db',
  write_probe: 'db',
  jobs: 'queue',
  workers: 'queue',
  files: 'storage',
  tasks: 'tasks/store',
  task_attempts: 'tasks/store',
  task_shares: 'tasks/store',
  input_retries: 'tasks/store',
  inference_requests: 'inference',
  deliveries: 'webhooks',
  delivery_attempts: 'webhooks',
}

test('every table is written by its owner alone', () => {
  const files = readSources(fileURLToPath(new URL('../../src', import.meta.url)))
  const written = new Set([...files.values()].flatMap(writesOf).map(({ table }) => table))
  for (const table of ['accounts', 'tasks', 'jobs', 'ledger', 'idempotency']) assert.ok(written.has(table), table)
  assert.deepEqual(findForeignWrites(files, owners), [])
})

describe('the check finds', () => {
  const cases: { name: string; file: string; text: string; problems: RegExp[] }[] = [
    { name: 'nothing where the owner writes', file: 'queue/a.ts', text: "'delete from jobs'", problems: [] },
    {
      name: 'a foreign update over two lines',
      file: 'tasks/a.ts',
      text: '`update accounts\n set balance = 1`',
      problems: [/^tasks\/a\.ts:1: writes accounts, which accounts\/ owns$/],
    },
    {
      name: 'a foreign update with an alias',
      file: 'http/a.ts',
      text: "\n'update keys as k set name = ?'",
      problems: [/^http\/a\.ts:2: writes keys/],
    },
    { name: 'a foreign insert', file: 'http/a.ts', text: "'insert into ledger (id)'", problems: [/writes ledger/] },
    { name: 'a foreign delete', file: 'http/a.ts', text: "'delete from jobs'", problems: [/writes jobs/] },
    {
      name: 'a foreign insert by the port',
      file: 'inference/a.ts',
      text: "await tx.insert(\n  'idempotency', [])",
      problems: [/writes idempotency, which admission\/ owns/],
    },
    {
      name: 'a neighbour of the store',
      file: 'tasks/attempt/a.ts',
      text: "'update tasks set engine = ?'",
      problems: [/writes tasks, which tasks\/store\/ owns/],
    },
    {
      name: 'a table without an owner',
      file: 'db/a.ts',
      text: "'insert into notes (id)'",
      problems: [/has no owner in the list/],
    },
    { name: 'no comments', file: 'http/a.ts', text: '// update keys set\n/* delete from jobs */', problems: [] },
    { name: 'no reads', file: 'http/a.ts', text: "'select * from keys for update'", problems: [] },
  ]
  for (const { name, file, text, problems } of cases) {
    test(name, () => {
      const found = findForeignWrites(new Map([[file, text]]), owners)
      assert.equal(found.length, problems.length, found.join('\n'))
      problems.forEach((problem, i) => {
        assert.match(found[i]!, problem)
      })
    })
  }
})
