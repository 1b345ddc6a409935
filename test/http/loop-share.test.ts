// Long work of one account runs in slices, its keys in turn, and leaves most of the event loop to others.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { createLoopShare } from '../../src/http/server/loop-share.ts'

/** Uses so much time of the processor. */
function burn(ms: number): void {
  const usedMs = () => process.threadCpuUsage().user / 1000
  for (const endsAt = usedMs() + ms; usedMs() < endsAt; ) {}
}

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
  const untilStarted = async (count: number) => {
    while (started.length < count) await new Promise(setImmediate)
  }
  return { started, run, untilStarted, end: (name: string) => ends.get(name)!() }
}

test('one request at a time per account, keys in turn, other accounts at once', async () => {
  const { started, run, untilStarted, end } = recorder()
  const runs = ['1', '2', '3'].map((name) => run('a', 'busy', name))
  const sibling = run('a', 'sibling', 'of the sibling')
  const other = run('b', 'other', 'of another')
  await untilStarted(2)
  assert.deepEqual(started, ['1', 'of another'])
  end('of another')
  assert.equal(await other, 'of another')
  end('1')
  assert.equal(await runs[0], '1')
  const order: string[] = []
  for (let i = 0; i < 3; i++) {
    await untilStarted(3 + i)
    order.push(started.at(-1)!)
    end(started.at(-1)!)
  }
  await Promise.all([...runs, sibling])
  assert.ok(order.indexOf('of the sibling') < 2, `${order}`)
})

test('a request that fails lets the next one run', async () => {
  const share = createLoopShare()
  const caller = { accountId: 'a', keyId: 'k' }
  const failing = share.run(caller, () => Promise.reject(new Error('no')))
  const next = share.run(caller, async () => 'next')
  await assert.rejects(failing, /no/)
  assert.equal(await next, 'next')
  assert.equal(await share.run(caller, async () => 'later'), 'later')
})

/** How long ten slices of 30 ms wait for their turns. */
async function waitsMs(share: ReturnType<typeof createLoopShare>, beforeEach: () => void): Promise<number> {
  let waitedMs = 0
  for (let i = 0; i < 10; i++) {
    beforeEach()
    const askedAt = performance.now()
    await share.turn({ accountId: 'a', keyId: 'k' })
    waitedMs += performance.now() - askedAt
    burn(30)
  }
  return waitedMs
}

test('an account alone waits for nothing; beside others it gets a fifth of the time once its credit is used', async () => {
  assert.ok((await waitsMs(createLoopShare(), () => {})) < 400)
  const share = createLoopShare()
  // Nine slices come before the last one: 270 ms, of which 100 are credit, and the rest takes five times as long.
  assert.ok((await waitsMs(share, () => share.note('b'))) > 400)
})

test('an account without credit does not hold up the slices of others', async () => {
  const share = createLoopShare()
  share.charge('a', 60_000)
  share.note('b')
  let isServed = false
  void share.turn({ accountId: 'a', keyId: 'k' }).then(() => {
    isServed = true
  })
  for (let i = 0; i < 5; i++) await share.turn({ accountId: 'b', keyId: 'k' })
  assert.equal(isServed, false)
})

/** Runs a request of an account, and returns whether the account may then go on beside another one. */
async function mayGoOnAfter(work: () => Promise<void>): Promise<boolean> {
  const share = createLoopShare()
  const caller = { accountId: 'a', keyId: 'k' }
  await share.run(caller, work)
  let isServed = false
  void share.turn(caller).then(() => {
    isServed = true
  })
  for (let i = 0; i < 5; i++) await share.turn({ accountId: 'b', keyId: 'k' })
  return isServed
}

test('a request is charged for what it does', async () => {
  assert.equal(await mayGoOnAfter(async () => burn(300)), false)
})

test('a request that waits, such as for the database, is charged neither for that nor for what others do', async () => {
  assert.equal(await mayGoOnAfter(() => sleep(300)), true)
  const afterOthers = async () => {
    await sleep(1)
    for (let i = 0; i < 10; i++) {
      setTimeout(() => burn(30))
      await sleep(1)
    }
  }
  assert.equal(await mayGoOnAfter(afterOthers), true)
})
