// Secrets at rest: plain without a key, encrypted with one, readable while keys are replaced, on both databases.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { Webhook } from 'standardwebhooks'
import { loadConfig } from '../../src/config.ts'
import { openDatabase } from '../../src/db/open.ts'
import { startReceiver } from '../support/network/receiver.ts'
import { databases, type TestPlace } from '../support/places/places.ts'
import { taskBody } from '../support/service/api.ts'
import { commandJson, runCommand } from '../support/service/command.ts'
import { untilDelivery } from '../support/service/deliveries.ts'
import { startOneService } from '../support/service/one-service.ts'

const newKey = () => randomBytes(32).toString('base64')
const main = fileURLToPath(new URL('../../src/main.ts', import.meta.url))

async function storedSecrets({ env }: TestPlace): Promise<string[]> {
  const db = await openDatabase({ dataDir: env.DAILIES_DATA!, databaseUrl: env.DAILIES_DATABASE_URL ?? null })
  try {
    const rows = await db.all<{ webhook_secret: string; old_webhook_secret: string | null }>(
      'select webhook_secret, old_webhook_secret from accounts',
    )
    return rows.flatMap((row) => [row.webhook_secret, row.old_webhook_secret ?? []]).flat()
  } finally {
    await db.close()
  }
}

for (const { name, create } of databases) {
  test(`webhook secrets on ${name} are encrypted, and re-encrypted when the key is replaced`, async () => {
    const place = await create()
    const receiver = await startReceiver()
    const [first, second] = [newKey(), newKey()]
    const settings = { DAILIES_ALLOW_PRIVATE_NETWORK: '127.0.0.0/8' }
    const cli = (args: string[], env: Record<string, string> = {}) => commandJson(args, { ...place.env, ...env })

    /** Serves with these settings, checks that a callback verifies, rotates if asked, and returns the secret. */
    async function serve(env: Record<string, string>, rotates = false): Promise<string> {
      const service = await startOneService({ ...place.env, ...settings, ...env })
      try {
        if (rotates) await service.api.post('/api/v1/webhooks/secret/rotate', {})
        const { secret } = (await service.api.get('/api/v1/webhooks/secret')).body.data
        const body = { ...taskBody(), callBackUrl: `${receiver.origin}/ok` }
        const { taskId } = (await service.api.post('/api/v1/jobs/createTask', body)).body.data
        await untilDelivery(service.api, taskId, ['delivered'])
        const got = receiver.received.at(-1)!
        new Webhook(secret).verify(got.raw, got.headers)
        return secret
      } finally {
        await service.stop()
      }
    }

    try {
      const plain = await serve({})
      assert.deepEqual(await storedSecrets(place), [plain])
      // With a key, what is plain can still be read, and what is new is encrypted.
      const rotated = await serve({ DAILIES_SECRET_KEY: first }, true)
      assert.notEqual(rotated, plain)
      const [current, previous] = await storedSecrets(place)
      assert.match(current!, /^sealed:v1:/)
      assert.equal(previous, plain)
      assert.deepEqual(await cli(['secrets', 'encrypt'], { DAILIES_SECRET_KEY: first }), {
        owners: 1,
        encrypted: true,
      })
      assert.ok((await storedSecrets(place)).every((stored) => stored.startsWith('sealed:v1:')))
      assert.equal(await serve({ DAILIES_SECRET_KEY: first }), rotated)
      assert.equal((await cli(['webhooks', 'secret'], { DAILIES_SECRET_KEY: first })).secret, rotated)

      // The key is replaced: both open, the new one is stored.
      const both = { DAILIES_SECRET_KEY: `${second},${first}` }
      assert.equal(await serve(both), rotated)
      const doctor = JSON.parse((await runCommand(['doctor', '--json'], { ...place.env, ...both })).stdout)
      const check = doctor.checks.find((each: { name: string }) => each.name === 'secrets')
      assert.deepEqual([check.status, check.advice], ['warning', 'run dailies secrets encrypt'])
      assert.equal(check.message, 'those of 1 account or key are not encrypted with DAILIES_SECRET_KEY')
      assert.equal((await cli(['secrets', 'encrypt'], both)).owners, 1)
      const none = await runCommand(['secrets', 'encrypt'], { ...place.env, ...both })
      assert.equal(
        none.stdout,
        'Changed the secrets of 0 accounts and keys; all secrets are encrypted with DAILIES_SECRET_KEY.\n',
      )
      assert.equal(await serve({ DAILIES_SECRET_KEY: second }), rotated)
      const lost = await runCommand(['webhooks', 'secret'], { ...place.env, DAILIES_SECRET_KEY: first })
      assert.equal(lost.code, 1)
      assert.match(lost.stderr, /is encrypted with the key [0-9a-f]{8}, which is not among those of DAILIES_SECRET_KEY/)

      const { items } = await cli(['audit', '--action', 'secret.encrypt'])
      assert.deepEqual(
        items.map(({ after }: { after: object }) => after),
        [
          { owners: 1, encrypted: true },
          { owners: 1, encrypted: true },
        ],
      )
      const service = await startOneService({ ...place.env, DAILIES_SECRET_KEY: second })
      try {
        const made = await service.api.post('/api/v1/operator/accounts', { name: 'made over the API' })
        assert.equal(made.body.code, 200)
      } finally {
        await service.stop()
      }
      assert.ok((await storedSecrets(place)).every((stored) => stored.startsWith('sealed:v1:')))
      // Back to plain text.
      await cli(['secrets', 'encrypt'], { DAILIES_SECRET_KEY: `none,${second}` })
      assert.ok((await storedSecrets(place)).includes(rotated))
    } finally {
      await receiver.close()
      await place.stop()
    }
  })
}

describe('a key for secrets', () => {
  test('must be 32 bytes, and doctor says when there is none', async () => {
    const place = await databases[0]!.create()
    try {
      const bad = await runCommand(['accounts', 'list'], { ...place.env, DAILIES_SECRET_KEY: 'too short' })
      assert.equal(bad.code, 1)
      assert.match(bad.stderr, /DAILIES_SECRET_KEY must be 32 random bytes/)
      await runCommand(['migrate'], place.env)
      const examine = async (env: Record<string, string>) => {
        const { stdout } = await runCommand(['doctor', '--json'], { ...place.env, DAILIES_PORT: '0', ...env })
        return JSON.parse(stdout).checks.find((each: { name: string }) => each.name === 'secrets')
      }
      const check = await examine({})
      assert.match(check.message, /DAILIES_SECRET_KEY is not set/)
      // Encrypted, and then read without the key.
      const key = { DAILIES_SECRET_KEY: newKey() }
      await runCommand(['accounts', 'create', 'a'], { ...place.env, ...key })
      const encrypted = await examine(key)
      assert.equal(encrypted.message, 'encrypted with DAILIES_SECRET_KEY')
      const without = await examine({})
      assert.equal(without.status, 'problem')
      assert.match(
        without.message,
        /^those of 1 account or key are encrypted with a key that is not set: their callbacks cannot be signed/,
      )
    } finally {
      await place.stop()
    }
  })

  test('opens keys of generators that are sealed in dailies.config.json', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'dailies-sealed-'))
    try {
      const env = { DAILIES_SECRET_KEY: newKey(), DAILIES_DATA: folder }
      const sealed = await new Promise<string>((resolve, reject) => {
        const options = { env: { ...process.env, ...env } }
        const child = execFile(process.execPath, [main, 'secrets', 'seal'], options, (error, stdout) =>
          error ? reject(error) : resolve(stdout.trim()),
        )
        child.stdin!.end('the key of a generator\n')
      })
      assert.match(sealed, /^sealed:v1:/)
      const path = join(folder, 'dailies.config.json')
      await writeFile(path, JSON.stringify({ engines: { gpu: { key: sealed } } }))
      const read = (more: object) => loadConfig({ ...env, DAILIES_CONFIG: path, ...more }).engineFile!.content
      assert.deepEqual(read({}), { engines: { gpu: { key: 'the key of a generator' } } })
      assert.throws(() => read({ DAILIES_SECRET_KEY: newKey() }), /dailies\.config\.json: a stored secret is encrypted/)
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  })
})
