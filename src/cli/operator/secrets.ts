// dailies secrets …: secrets that are encrypted with DAILIES_SECRET_KEY.
import { text as readAll } from 'node:stream/consumers'
import { encryptSecrets } from '../../accounts/stored-secrets.ts'
import { recordAct } from '../../audit/audit.ts'
import { OperatorError } from '../../platform/errors.ts'
import { type Command, command } from '../command.ts'
import { commandLineActor, withDatabase } from '../connect/with-database.ts'
import { ownersText } from '../terminal/print.ts'

const encrypt = command({
  name: 'secrets encrypt',
  summary: 'Encrypt the secrets in the database with DAILIES_SECRET_KEY, or with a new one',
  details:
    'To replace the key, set DAILIES_SECRET_KEY to the new one, a comma and the one before, restart every process, and ' +
    'run this command; then remove the one before. With "none" as the first, secrets are decrypted.',
  examples: ['dailies secrets encrypt'],
  run: ({ config }) =>
    withDatabase(config, async (db, clock) => {
      const owners = await db.transaction(async (tx) => {
        const changed = await encryptSecrets(tx, config.secretBox)
        const after = { owners: changed, encrypted: config.secretBox.encrypts }
        if (changed > 0) {
          await recordAct(tx, commandLineActor(), { action: 'secret.encrypt', target: null, after }, clock.now())
        }
        return changed
      })
      const how = config.secretBox.encrypts ? 'encrypted with DAILIES_SECRET_KEY' : 'stored as they are'
      return {
        data: { owners, encrypted: config.secretBox.encrypts },
        text: `Changed the secrets of ${ownersText(owners)}; all secrets are ${how}.`,
      }
    }),
})

const seal = command({
  name: 'secrets seal',
  summary: 'Encrypt a text from standard input, for a key in dailies.config.json',
  details: 'The result begins with sealed: and can replace any string in the file. DAILIES_SECRET_KEY decrypts it.',
  examples: ["printf %s 'the key of a generator' | dailies secrets seal"],
  async run({ config }) {
    if (!config.secretBox.encrypts) {
      throw new OperatorError('DAILIES_SECRET_KEY is not set; make one with: openssl rand -base64 32')
    }
    const sealed = config.secretBox.seal((await readAll(process.stdin)).replace(/\r?\n$/, ''))
    return { data: { sealed }, text: sealed }
  },
})

export const secretCommands: Command[] = [encrypt, seal]
