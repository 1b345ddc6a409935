// dailies webhooks secret
import { firstAccountName } from '../../accounts/first-account.ts'
import { type Command, textFlag } from '../command.ts'
import { needAccount } from '../connect/find.ts'
import { withDatabase } from '../connect/with-database.ts'

export const webhooksSecret: Command = {
  name: 'webhooks secret',
  args: [],
  flags: { account: { value: 'NAME', help: `of this account (${firstAccountName})` } },
  summary: "Show the secret that an account's callbacks are signed with",
  details: 'Receivers check signatures with it, as the Standard Webhooks specification says. Keep it as a password.',
  examples: ['dailies webhooks secret', 'dailies webhooks secret --account studio --json'],
  run: ({ flags, config }) =>
    withDatabase(config, async (db) => {
      const account = await needAccount(db, textFlag(flags.account) ?? firstAccountName)
      const row = await db.one<{ secret: string }>('select webhook_secret as secret from accounts where id = ?', [
        account.id,
      ])
      return { data: { account: account.name, secret: row!.secret }, text: row!.secret }
    }),
  async atServer(client) {
    const { secret } = await client.webhooks.secret()
    return { data: { secret }, text: secret }
  },
}
