// What another process changes in the same database is seen by a running service within a second.
import assert from 'node:assert/strict'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { test } from 'node:test'
import { createAccount, grantCredits } from '../../../src/accounts/accounts.ts'
import { createKey, revokeKey, rotateKey } from '../../../src/accounts/keys/keys.ts'
import { setFeature, setMaintenance } from '../../../src/accounts/switches.ts'
import { serviceActor } from '../../../src/audit/audit.ts'
import { loadConfig } from '../../../src/config.ts'
import type { Tx } from '../../../src/db/db.ts'
import { openDatabase } from '../../../src/db/open.ts'
import { plainBox } from '../../support/plain-box.ts'
import { taskBody, variantA } from '../../support/service/api.ts'
import { newCaller, newSubKey } from '../../support/service/callers.ts'
import { describeService } from '../../support/service/suite.ts'
import { untilStatus, untilTrue } from '../../support/until.ts'

/** Far above what a creation takes, and below the time after which a locked database is reported as busy. */
const createWithinMs = 4000

describeService('changes by another process', {}, (service, place) => {
  /** One change on connections of its own, as a command of the command line makes it. */
  const change = async <T>(work: (tx: Tx) => Promise<T>) => {
    const other = await openDatabase(loadConfig(place().env))
    return other.transaction(work).finally(() => other.close())
  }

  test('revoking a key also ends its sub-keys', async () => {
    const parent = await newCaller(service(), 1000)
    const sub = await newSubKey(service(), parent)
    for (const { api } of [parent, sub]) assert.equal((await api.get('/api/v1/account/credit')).status, 200)
    await change((tx) => revokeKey(tx, parent.keyId, Date.now()))
    for (const { api } of [parent, sub]) {
      const answer = await untilStatus(() => api.get('/api/v1/account/credit'), 401)
      assert.equal(answer.headers.get('www-authenticate'), 'Bearer')
    }
    // As when the parent asked for it just before it was revoked.
    const late = await newSubKey(service(), parent)
    assert.equal((await late.api.get('/api/v1/account/credit')).status, 401)
  })

  test('a rotated key: the old secret stops, the new one works', async () => {
    const caller = await newCaller(service(), 1000)
    assert.equal((await caller.api.get('/api/v1/account/credit')).status, 200)
    const rotated = await change((tx) => rotateKey(tx, caller.keyId, Date.now()))
    await untilStatus(() => caller.api.get('/api/v1/account/credit'), 401)
    assert.equal((await service().as(rotated!.key).get('/api/v1/account/credit')).status, 200)
  })

  test('maintenance on and off', async () => {
    const create = () => service().api.post('/api/v1/jobs/createTask', taskBody())
    await change((tx) => setMaintenance(tx, serviceActor, true, Date.now()))
    await untilStatus(create, 455)
    await change((tx) => setMaintenance(tx, serviceActor, false, Date.now()))
    await untilStatus(create, 200)
  })

  test('features off and on', async () => {
    const create = () => service().api.post('/api/v1/jobs/createTask', taskBody())
    await change((tx) => setFeature(tx, serviceActor, variantA, false, Date.now()))
    await untilStatus(create, 505)
    await change((tx) => setFeature(tx, serviceActor, variantA, true, Date.now()))
    await untilStatus(create, 200)
  })

  test('new accounts and credits', async () => {
    const { key, account } = await change(async (tx) => {
      const made = await createAccount(tx, 'made elsewhere', 0, Date.now(), plainBox)
      return { account: made, ...(await createKey(tx, { accountId: made.id, name: 'k' }, Date.now())) }
    })
    const api = service().as(key)
    await untilStatus(() => api.post('/api/v1/jobs/createTask', taskBody()), 402)
    await change((tx) => grantCredits(tx, account.id, 42, Date.now()))
    await untilStatus(() => api.post('/api/v1/jobs/createTask', taskBody()), 200)
  })

  test('a process that writes without pause does not starve the service', async () => {
    const writer = fork(new URL('./fixtures/busy-writer.ts', import.meta.url), {
      execArgv: [],
      env: { ...process.env, ...place().env },
    })
    let commits = 0
    writer.on('message', (count: number) => {
      commits = count
    })
    try {
      await untilTrue('the writer writes', () => commits > 0, 20_000)
      const before = commits
      let slowestMs = 0
      for (let i = 0; i < 20; i++) {
        const startedAtMs = performance.now()
        await service().api.createTask()
        slowestMs = Math.max(slowestMs, performance.now() - startedAtMs)
      }
      assert.ok(commits - before >= 20, `only ${commits - before} writes beside 20 creations`)
      assert.ok(slowestMs < createWithinMs, `a creation took ${Math.round(slowestMs)} ms`)
    } finally {
      const exited = once(writer, 'exit')
      writer.kill('SIGKILL')
      await exited
    }
  })
})
