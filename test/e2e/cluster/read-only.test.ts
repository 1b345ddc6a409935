// A PostgreSQL that reads but does not write, as a standby before its promotion: not ready within two seconds, and
// creations wait for the promotion instead of failing.
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import pg from 'pg'
import { startPostgres } from '../../support/places/postgres.ts'
import { startProcess } from '../../support/service/process.ts'
import { untilStatus } from '../../support/until.ts'

test('a read-only database is not ready, and a creation waits for it', async (t) => {
  const postgres = await startPostgres()
  t.after(() => postgres.stop())
  const dataDir = await mkdtemp(join(tmpdir(), 'dailies-read-only-'))
  t.after(() => rm(dataDir, { recursive: true, force: true }))
  const service = await startProcess({ DAILIES_DATA: dataDir, DAILIES_DATABASE_URL: postgres.url })
  t.after(() => service.kill('SIGKILL'))
  const setReadOnly = async (value: 'on' | 'off') => {
    const client = new pg.Client({ connectionString: postgres.url })
    await client.connect()
    await client.query(`alter system set default_transaction_read_only = ${value}`)
    await client.query('select pg_reload_conf()')
    await client.end()
  }
  await untilStatus(() => service.api.get('/readyz'), 200)

  await setReadOnly('on')
  const unready = await untilStatus(() => service.api.get('/readyz'), 503, 2_500)
  assert.match(unready.body.msg, /^not ready: the database accepts no writes/)
  assert.equal((await service.api.get('/api/v1/account/credit')).status, 200)
  const creation = service.api.createTask('a boat')
  await setReadOnly('off')
  await service.api.until(await creation, ['success'])
  await untilStatus(() => service.api.get('/readyz'), 200, 2_500)
})
