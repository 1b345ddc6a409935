// dailies webhooks secret and rotate-secret
import { firstAccountName } from '../../accounts/first-account.ts'
import type { Sql } from '../../db/db.ts'
import { readSecret, rotateSecret } from '../../webhooks/secrets.ts'
import { command, type Flags, type FlagValues, refuseAccount, UsageError } from '../command.ts'
import { commandLineActor } from '../connect/actor.ts'
import { needAccount, needLiveKey } from '../connect/find.ts'
import { withDatabase } from '../connect/with-database.ts'

const flags = {
  account: { value: 'NAME', help: `of this account (${firstAccountName})` },
  of: { value: 'ID', help: 'of this key or sub-key' },
} satisfies Flags

/** The account or key that the flags name. */
async function needOwner(sql: Sql, named: FlagValues<typeof flags>, nowMs: number) {
  const { account, of } = checked(named)
  if (of === undefined) {
    const { id, name } = await needAccount(sql, account ?? firstAccountName)
    return { accountId: id, accountName: name, keyId: null, shown: { account: name } }
  }
  const key = await needLiveKey(sql, of, nowMs)
  const { accountId, account: accountName, id: keyId } = key
  return { accountId, accountName, keyId, shown: { account: accountName, keyId } }
}

function checked(named: FlagValues<typeof flags>) {
  if (named.account !== undefined && named.of !== undefined) throw new UsageError('give either --account or --of')
  return named
}

export const webhooksSecret = command({
  name: 'webhooks secret',
  flags,
  summary: 'Show the secret that callbacks of an account or of a key are signed with',
  details:
    'Receivers verify signatures with it, according to Standard Webhooks. Keep it like a password. Each sub-key has its own secret.',
  examples: [
    'dailies webhooks secret',
    'dailies webhooks secret --account studio --json',
    'dailies webhooks secret --of 0199…',
  ],
  run: ({ flags: named, config }) =>
    withDatabase(config, async (db, clock) => {
      const nowMs = clock.now()
      const owner = await needOwner(db, named, nowMs)
      const { secret } = await readSecret(db, owner, nowMs, config.secretBox)
      return { data: { ...owner.shown, secret }, text: secret }
    }),
  atServer({ flags: { account, of } }) {
    refuseAccount({ account })
    return async (client) => {
      const { secret } = of === undefined ? await client.webhooks.secret() : await client.keys.webhookSecret(of)
      return { data: { secret }, text: secret }
    }
  },
})

export const webhooksRotateSecret = command({
  name: 'webhooks rotate-secret',
  flags,
  summary: 'Replace the secret that callbacks of an account or of a key are signed with',
  details: 'For 24 hours callbacks are signed with both the new and the previous secret.',
  examples: ['dailies webhooks rotate-secret', 'dailies webhooks rotate-secret --of 0199…'],
  run: ({ flags: named, config }) =>
    withDatabase(config, (db, clock) =>
      db.transaction(async (tx) => {
        const nowMs = clock.now()
        const { shown, ...owner } = await needOwner(tx, named, nowMs)
        const { secret, previousUntil } = await rotateSecret(tx, commandLineActor(), owner, nowMs, config.secretBox)
        return { data: { ...shown, secret, previousUntil }, text: secret }
      }),
    ),
  atServer({ flags: { account, of } }) {
    refuseAccount({ account })
    return async (client) => {
      const data = await (of === undefined ? client.webhooks.rotateSecret() : client.keys.rotateWebhookSecret(of))
      return { data, text: data.secret }
    }
  },
})
