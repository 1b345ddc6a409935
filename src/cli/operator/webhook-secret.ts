// dailies webhooks secret and rotate-secret
import type { Dailies, SecretOwner } from '../../../client/src/public.ts'
import { firstAccountName } from '../../accounts/first-account.ts'
import { command, type Flags, type FlagValues, refuseAccount, UsageError } from '../command.ts'
import { ofAccount, ofKey } from '../connect/not-found.ts'

const flags = {
  account: { value: 'NAME', help: `of this account (${firstAccountName})` },
  of: { value: 'ID', help: 'of this key or sub-key' },
} satisfies Flags

/** Whose secret it is, and how a message names what is not there. */
function ownerOf({ account, of: keyId }: FlagValues<typeof flags>, isRemote: boolean) {
  refuseAccount(isRemote, account)
  if (account !== undefined && keyId !== undefined) throw new UsageError('give either --account or --of')
  return keyId === undefined ? { account: account ?? firstAccountName } : { keyId }
}

/** The secret of an account or of a key: at a server, of the key in use and its sub-keys. */
async function secretAt(client: Dailies, owner: SecretOwner, isRemote: boolean, verb: 'read' | 'rotate') {
  const isRead = verb === 'read'
  if (isRemote && 'keyId' in owner) {
    return isRead ? client.keys.webhookSecret(owner.keyId) : client.keys.rotateWebhookSecret(owner.keyId)
  }
  if (isRemote) return isRead ? client.webhooks.secret() : client.webhooks.rotateSecret()
  const { operator } = client
  const work = isRead ? operator.webhookSecret(owner) : operator.rotateWebhookSecret(owner)
  const named =
    'keyId' in owner ? ofKey({ isRemote }, owner.keyId, work) : ofAccount({ client, isRemote }, owner.account, work)
  const { keyId, ...secret } = await named
  return keyId === null ? secret : { keyId, ...secret }
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
  operate({ flags: named, isRemote }) {
    const owner = ownerOf(named, isRemote)
    return async (client) => {
      const { previousUntil: _until, ...data } = await secretAt(client, owner, isRemote, 'read')
      return { data, text: data.secret }
    }
  },
})

export const webhooksRotateSecret = command({
  name: 'webhooks rotate-secret',
  flags,
  summary: 'Replace the secret that callbacks of an account or of a key are signed with',
  details: 'For 24 hours callbacks are signed with both the new and the previous secret.',
  examples: ['dailies webhooks rotate-secret', 'dailies webhooks rotate-secret --of 0199…'],
  operate({ flags: named, isRemote }) {
    const owner = ownerOf(named, isRemote)
    return async (client) => {
      const data = await secretAt(client, owner, isRemote, 'rotate')
      return { data, text: data.secret }
    }
  },
})
