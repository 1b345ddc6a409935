// dailies accounts export and accounts delete: everything of one account.
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { deleteAccount } from '../../account-data/delete-account.ts'
import { exportAccount } from '../../account-data/export-account.ts'
import { recordAct } from '../../audit/audit.ts'
import type { Config } from '../../config.ts'
import type { Db } from '../../db/db.ts'
import type { Clock } from '../../platform/clock.ts'
import { OperatorError } from '../../platform/errors.ts'
import { silentLogger } from '../../platform/logger.ts'
import { createSqlQueue } from '../../queue/sql-queue.ts'
import { openStorage } from '../../storage/open-storage.ts'
import type { Storage } from '../../storage/storage.ts'
import { createTaskEvents } from '../../tasks/events.ts'
import { createFinish } from '../../tasks/finish/finish.ts'
import { createTaskTransactions } from '../../tasks/store/store.ts'
import { type Command, command, UsageError } from '../command.ts'
import { needAccount } from '../connect/find.ts'
import { commandLineActor, withDatabase } from '../connect/with-database.ts'
import { countText } from '../terminal/print.ts'

const exportCommand = command({
  name: 'accounts export',
  args: ['NAME'],
  flags: { out: { value: 'DIR', help: 'a new folder for the records and files' } },
  summary: 'Write the records and files of an account into a folder',
  details:
    'records.ndjson has one JSON object per line: the account, its keys, tasks, requests, callbacks, ledger and files. ' +
    'files/ has the files that have not expired. Keys and secrets are not in it.',
  examples: ['dailies accounts export studio --out studio-export'],
  async run({ args, flags, config }) {
    const out = flags.out
    if (out === undefined) throw new UsageError('--out must name a new folder')
    const folder = resolve(out)
    if (existsSync(folder)) throw new OperatorError(`${folder} exists already; name a new folder with --out`)
    return withDatabase(config, (db, clock) =>
      withStorage(config, async (storage) => {
        const account = await needAccount(db, args[0])
        const written = await exportAccount({ db, storage, nowMs: clock.now() }, account, folder)
        const act = { action: 'account.export', target: account.name, after: { ...written } } as const
        await db.transaction((tx) => recordAct(tx, commandLineActor(), act, clock.now()))
        return {
          data: { account: account.name, folder, ...written },
          text: `${folder} has ${countText(written.records, 'record')} and ${countText(written.files, 'file')}.`,
        }
      }),
    )
  },
})

const deleteCommand = command({
  name: 'accounts delete',
  args: ['NAME'],
  flags: { yes: { help: 'confirm the deletion' } },
  summary: 'Permanently delete an account with its keys, tasks, files, callbacks and secrets',
  details:
    'Unfinished tasks are canceled first. The entries of the ledger stay, without the name of the account, so that ' +
    'dailies ledger check still balances. The audit log stays too.',
  examples: ['dailies accounts export studio --out studio-export', 'dailies accounts delete studio --yes'],
  async run({ args, flags, config }) {
    if (!flags.yes) throw new UsageError('accounts delete cannot be undone; add --yes to delete the account')
    return withDatabase(config, (db, clock) =>
      withStorage(config, async (storage) => {
        const account = await needAccount(db, args[0])
        const { finish, close } = openFinish(db, clock)
        try {
          const deleted = await deleteAccount({ db, clock, storage, finish }, commandLineActor(), account)
          const counts = `${countText(deleted.tasks, 'task')}, ${countText(deleted.files, 'file')}`
          return { data: deleted, text: `The account ${account.name} is deleted, with ${counts}.` }
        } finally {
          await close()
        }
      }),
    )
  },
})

/** Ends tasks as the service does, but without callbacks. The workers of a running service stop the engines. */
function openFinish(db: Db, clock: Clock) {
  const queue = createSqlQueue({ db, clock, log: silentLogger, about: null })
  const events = createTaskEvents(db)
  const transactions = createTaskTransactions({ db, log: silentLogger, queue })
  const nothing = { queueCallbacks: async () => {}, observe() {}, stopEngine() {} }
  return {
    finish: createFinish({ transactions, queue, events, clock, ...nothing }),
    async close() {
      events.close()
      await queue.stop(0)
    },
  }
}

async function withStorage<T>(config: Config, work: (storage: Storage) => Promise<T>): Promise<T> {
  const storage = await openStorage(config)
  try {
    return await work(storage)
  } finally {
    await storage.close?.()
  }
}

export const accountDataCommands: Command[] = [exportCommand, deleteCommand]
