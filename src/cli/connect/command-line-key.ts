// The key that the command line uses with the server of this machine: one key named "command line", valid for an hour
// after its last use. Its secret is in the data folder, readable by its owner alone, so that each run reuses it.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { firstAccountName } from '../../accounts/first-account.ts'
import { createKeyBy } from '../../accounts/keys/key-acts.ts'
import { renewKey } from '../../accounts/keys/keys.ts'
import type { Db } from '../../db/db.ts'
import type { Clock } from '../../platform/clock.ts'
import { needAccount } from './find.ts'
import { commandLineActor } from './with-database.ts'

const fileName = 'command-line-key.json'
const validMs = 3_600_000

export async function commandLineKey(dataDir: string, db: Db, clock: Clock): Promise<string> {
  const path = join(dataDir, fileName)
  const saved = readSaved(path)
  const nowMs = clock.now()
  if (saved && (await db.transaction((tx) => renewKey(tx, saved, nowMs + validMs)))) return saved.key
  const account = await needAccount(db, firstAccountName)
  const wanted = { accountId: account.id, name: 'command line', expiresAt: nowMs + validMs }
  const made = await db.transaction((tx) => createKeyBy(tx, commandLineActor(), wanted, nowMs))
  writeFileSync(path, JSON.stringify(made), { mode: 0o600 })
  return made.key
}

function readSaved(path: string): { id: string; key: string } | null {
  try {
    const { id, key } = JSON.parse(readFileSync(path, 'utf8'))
    return typeof id === 'string' && typeof key === 'string' ? { id, key } : null
  } catch {
    return null
  }
}
