// Long requests of one account run one after the other, its keys in turn, and those of others beside them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLoopShare } from '../../src/http/event-loop/loop-share.ts'

function recorder() {
  const started: string[] = []
  const ends = new Map<string, () => void>()
  const share = createLoopShare()
  const run = (accountId: string, keyId: string, name: string) =>
    share.run({ accountId, keyId }, async () => {
      started.push(name)
      await new Promise<void>((resolve) => ends.set(name, resolve))
      return name
    })
  return { started, run, end: (name: string) => ends.get(name)!() }
}

test('one at a time per account, keys in turn, other accounts at once', async () => {
  const { started, run, end } = recorder()
  const runs = ['1', '2', '3'].map((name) => run('a', 'busy', name))
  const sibling = run('a', 'sibling', 'of the sibling')
  const other = run('b', 'other', 'of another')
  assert.deepEqual(started, ['1', 'of another'])
  end('of another')
  assert.equal(await other, 'of another')
  end('1')
  assert.equal(await runs[0], '1')
  const order: string[] = []
  for (let i = 0; i < 3; i++) {
    while (started.length < 3 + i) await new Promise(setImmediate)
    order.push(started.at(-1)!)
    end(started.at(-1)!)
  }
  await Promise.all([...runs, sibling])
  assert.ok(order.indexOf('of the sibling') < 2, `${order}`)
})

test('a failure makes room for the next', async () => {
  const share = createLoopShare()
  const caller = { accountId: 'a', keyId: 'k' }
  const failing = share.run(caller, () => Promise.reject(new Error('no')))
  const next = share.run(caller, async () => 'next')
  await assert.rejects(failing, /no/)
  assert.equal(await next, 'next')
  assert.equal(await share.run(caller, async () => 'later'), 'later')
})

test('long work that ends in the turn it began in is followed by a pause when more has arrived, else by nothing', async () => {
  const share = createLoopShare()
  const caller = { accountId: 'a', keyId: 'k' }
  await share.run(caller, async () => {
    const endsAt = performance.now() + 10
    while (performance.now() < endsAt);
  })
  const arrivedAt = performance.now()
  assert.ok((await share.run(caller, async () => performance.now() - arrivedAt)) >= 18)
  await new Promise(setImmediate)
  let isStarted = false
  const later = share.run(caller, async () => {
    isStarted = true
  })
  assert.ok(isStarted)
  await later
})
