// dailies webhooks secret and rotate-secret
import { firstAccountName } from '../../accounts/first-account.ts'
import { recordAct } from '../../audit/audit.ts'
import type { Sql } from '../../db/db.ts'
import { readSecret, rotateSecret } from '../../webhooks/secrets.ts'
import { type Command, type CommandInput, type Flag, textFlag, UsageError } from '../command.ts'
import { commandLineActor } from '../connect/actor.ts'
import { needAccount, needLiveKey } from '../connect/find.ts'
import { withDatabase } from '../connect/with-database.ts'

const flags: Record<string, Flag> = {
  account: { value: 'NAME', help: `of this account (${firstAccountName})` },
  of: { value: 'ID', help: 'of this key or sub-key' },
}

/** The account or key that the flags name. */
async function needOwner(sql: Sql, input: CommandInput, nowMs: number) {
  const { account, of } = wanted(input)
  if (of === undefined) {
    const { id, name } = await needAccount(sql, account ?? firstAccountName)
    return { accountId: id, keyId: null, shown: { account: name }, target: name }
  }
  const key = await needLiveKey(sql, of, nowMs)
  return { accountId: key.accountId, keyId: key.id, shown: { account: key.account, keyId: key.id }, target: key.id }
}

function wanted({ flags: given }: CommandInput) {
  const account = textFlag(given.account)
  const of = textFlag(given.of)
  if (account !== undefined && of !== undefined) throw new UsageError('give either --account or --of')
  return { account, of }
}

export const webhooksSecret: Command = {
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
  run: (input) =>
    withDatabase(input.config, async (db, clock) => {
      const nowMs = clock.now()
      const owner = await needOwner(db, input, nowMs)
      const { secret } = await readSecret(db, owner, nowMs, input.config.secretBox)
      return { data: { ...owner.shown, secret }, text: secret }
    }),
  async atServer(client, input) {
    const { of } = wanted(input)
    const { secret } = of === undefined ? await client.webhooks.secret() : await client.keys.webhookSecret(of)
    return { data: { secret }, text: secret }
  },
}

export const webhooksRotateSecret: Command = {
  name: 'webhooks rotate-secret',
  flags,
  summary: 'Replace the secret that callbacks of an account or of a key are signed with',
  details: 'For 24 hours callbacks are signed with both the new and the previous secret.',
  examples: ['dailies webhooks rotate-secret', 'dailies webhooks rotate-secret --of 0199…'],
  run: (input) =>
    withDatabase(input.config, (db, clock) =>
      db.transaction(async (tx) => {
        const nowMs = clock.now()
        const { target, shown, ...owner } = await needOwner(tx, input, nowMs)
        const { secret, previousUntil } = await rotateSecret(tx, owner, nowMs, input.config.secretBox)
        const act = { action: 'secret.rotate', target, after: { previousUntil } } as const
        await recordAct(tx, commandLineActor(), act, nowMs)
        return { data: { ...shown, secret, previousUntil }, text: secret }
      }),
    ),
  async atServer(client, input) {
    const { of } = wanted(input)
    const data = await (of === undefined ? client.webhooks.rotateSecret() : client.keys.rotateWebhookSecret(of))
    return { data, text: data.secret }
  },
}
