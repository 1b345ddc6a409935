// What must hold after a run of faults, read from the database and from what the receiver got.
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { checkLedger } from '../../src/accounts/ledger.ts'
import type { Db } from '../../src/db/db.ts'
import type { TaskRow } from '../../src/db/query-builder.ts'
import { readTimeline } from '../../src/tasks/read.ts'
import type { Receiver } from '../support/receiver.ts'

/** Waits until nothing is left to do. */
export async function untilAllEnded(db: Db, withinMs: number): Promise<void> {
  const deadline = performance.now() + withinMs
  for (;;) {
    const open = await db.all(`select id, state from tasks where state not in ('success', 'fail') limit 5`)
    const jobs = await db.all('select queue, subject, attempt, failures from jobs limit 5')
    const pending = await db.all(`select id, tries from deliveries where state = 'pending' limit 5`)
    if (open.length + jobs.length + pending.length === 0) return
    assert.ok(performance.now() < deadline, `not at rest: ${JSON.stringify({ open, jobs, pending })}`)
    await sleep(200)
  }
}

export interface Verdict {
  tasks: number
  succeeded: number
  callbacks: number
}

export async function judge(db: Db, accepted: Map<string, string>, receiver: Receiver): Promise<Verdict> {
  const tasks = await db.all<TaskRow>('select * from tasks')
  const byId = new Map(tasks.map((task) => [task.id, task]))
  assert.deepEqual([...byId.keys()].sort(), [...accepted.values()].sort(), 'every accepted task exists, and no other')

  assert.deepEqual((await checkLedger(db)).problems, [])
  const entries = await db.all<{ task_id: string; kind: string }>(
    'select task_id, kind from ledger where task_id is not null',
  )
  const kinds = Map.groupBy(entries, (entry) => entry.task_id)
  for (const task of tasks) {
    const expected = ['hold', task.state === 'success' ? 'settle' : 'release'].sort()
    const found = (kinds.get(task.id) ?? []).map((entry) => entry.kind).sort()
    assert.deepEqual(found, expected, `${task.id} (${task.state})`)
  }
  const open = await db.one<{ open: number }>('select sum(open_tasks) as open from accounts')
  assert.equal(open!.open, 0)

  for (const task of tasks) {
    const states = (await readTimeline(db, task)).map(({ state }) => state)
    const ends = states.filter((state) => state === 'success' || state === 'fail')
    assert.deepEqual(ends, [task.state], `${task.id} ended other than once: ${states.join()}`)
    assert.equal(states.at(-1), task.state, `${task.id} moved on after its end: ${states.join()}`)
  }

  for (const [name, taskId] of accepted) {
    const callbacks = receiver.at(`/ok?${name}`)
    assert.ok(callbacks.length > 0, `${name} was never called back`)
    assert.equal(new Set(callbacks.map((each) => each.raw)).size, 1, `${name} was told different things`)
    assert.ok(callbacks[0]!.raw.includes(taskId))
    for (const { headers, atMs } of callbacks) {
      const signedMs = Number(headers['webhook-timestamp']) * 1000
      assert.ok(Math.abs(signedMs - atMs) < 60_000, `${name} was signed with a clock that is off`)
    }
  }
  return {
    tasks: tasks.length,
    succeeded: tasks.filter((task) => task.state === 'success').length,
    callbacks: receiver.received.length,
  }
}
