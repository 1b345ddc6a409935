// The table of limits: its refusals, and the list in SECURITY.md that follows from it.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { securityPage } from '../../docs/limits/make.ts'
import type { ApiError } from '../../src/contract/errors.ts'
import { debts, type LimitText, slots, windows } from '../../src/limits/table.ts'

test('SECURITY.md lists the limits of the table', () => {
  const page = readFileSync(new URL('../../SECURITY.md', import.meta.url), 'utf8')
  assert.equal(page, securityPage(), 'run `npm run build:limits`')
})

describe('a refusal has the status that its row names:', () => {
  const rows: [string, LimitText & { refuse?: (of: never) => ApiError }][] = [windows, debts, slots].flatMap((group) =>
    Object.entries(group),
  )
  assert.ok(rows.length > 25)
  for (const [name, { refuse, beyond }] of rows) {
    if (refuse) test(name, () => assert.equal(refuse({ retryAfterS: 1 } as never).code, beyond))
  }
})

test('one account leaves fetches to the others', () => {
  assert.ok(slots.fetches.of.perAccount < slots.fetches.of.total)
})
