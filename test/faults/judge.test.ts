// The judge of the fault suite notices: each promise is broken once on purpose, and it must say so.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import pg from 'pg'
import type { Tx } from '../../src/db/db.ts'
import { type Receiver, startReceiver } from '../support/network/receiver.ts'
import { createTestDatabase } from '../support/places/postgres.ts'
import { taskBody } from '../support/service/api.ts'
import { startService, type TestService } from '../support/service/service.ts'
import { type AcceptedTask, type AskedEnd, canceled, endedAsAsked, endsAfterCancel } from './asked-ends.ts'
import { installAudit } from './audit.ts'
import { createFigures } from './figures.ts'
import { type Evidence, judge, untilAllEnded } from './judge.ts'

class Undo extends Error {}

/** When a worker of that name was killed, long before the run. */
const killedAtMs = 1_000_000
const kills = [{ label: 'worker-9-9', atMs: killedAtMs }]
const claimOf = (who: string, atMs: number) => (tx: Tx) =>
  tx.insert('audit_jobs', [{ seq: atMs, at: atMs, subject: 'j', queue: 'q', event: 'claimed', who }])
const takenAfter = (ms: number) => async (tx: Tx) => {
  await claimOf('worker-9-9', killedAtMs - 5)(tx)
  await claimOf('worker-8-8', killedAtMs + ms)(tx)
}

describe('the judge of the fault suite', () => {
  let database: Awaited<ReturnType<typeof createTestDatabase>>
  let service: TestService
  let receiver: Receiver
  let evidence: Evidence
  const accepted = new Map<string, AcceptedTask>()
  const idOf = (name: string) => accepted.get(name)!.taskId
  const withEnds = (name: string, ends: AskedEnd[]) => () => ({
    accepted: new Map([...accepted, [name, { taskId: idOf(name), ends }]]),
  })

  before(async () => {
    database = await createTestDatabase()
    receiver = await startReceiver()
    service = await startService({
      DAILIES_DATABASE_URL: database.url,
      DAILIES_ALLOW_PRIVATE_NETWORK: 'true',
      DAILIES_PUBLIC_URL: 'http://127.0.0.1:1',
    })
    await installAudit(async (sql) => {
      const client = new pg.Client({ connectionString: database.url })
      await client.connect()
      await client.query(sql).finally(() => client.end())
      return []
    })
    const asked: [name: string, script: string, end: AskedEnd][] = [
      ['good', '', 'success'],
      ['bad', 'script: fail', { reason: 'engine_failed', message: /The script said so/ }],
      ['other', 'script: wait 50ms', 'success'],
    ]
    for (const [name, script, end] of asked) {
      const body = { ...taskBody(`a boat ${script}`), callBackUrl: `${receiver.origin}/ok?${name}` }
      const { taskId } = (await service.api.post('/api/v1/jobs/createTask', body)).body.data
      accepted.set(name, { taskId, ends: [end] })
    }
    await untilAllEnded(service.app.db, 20_000)
    const cluster = { kills: [], outages: [], storageOutages: [], killedRenders: [], figures: createFigures() }
    evidence = { accepted, calls: [], receiver, cluster, isStored: async () => true }
  })
  after(async () => {
    await service?.stop()
    await receiver?.close()
    await database?.stop()
  })

  /** Looks at a database in which something is not as it was; afterwards all is as before. */
  async function judgeChanged(change: (tx: Tx) => Promise<unknown>, other: Partial<Evidence> = {}) {
    let verdict: Awaited<ReturnType<typeof judge>> | undefined
    const judged = service.app.db.transaction(async (tx) => {
      await change(tx)
      verdict = await judge(tx, { ...evidence, ...other })
      throw new Undo()
    })
    await judged.catch((error) => {
      if (!(error instanceof Undo)) throw error
    })
    return verdict!
  }

  const nothing = async () => {}
  const withCluster = (changes: Partial<Evidence['cluster']>) => ({ cluster: { ...evidence.cluster, ...changes } })

  test('finds nothing where nothing is wrong', async () => {
    const { tasks, succeeded, failed, failedWrongly, callbacks } = await judgeChanged(nothing)
    assert.deepEqual(failedWrongly, [])
    const found = { tasks, succeeded, failed, callbacks }
    assert.deepEqual(found, { tasks: 3, succeeded: 2, failed: { engine_failed: 1 }, callbacks: 3 })
  })

  const broken: [string, RegExp, (tx: Tx) => Promise<unknown>, (() => Partial<Evidence>)?][] = [
    [
      'a task that was lost',
      /every accepted task exists/,
      nothing,
      () => ({ accepted: new Map([...accepted, ['lost', { taskId: 'an id', ends: [] }]]) }),
    ],
    [
      'a task that was made twice',
      /every accepted task exists/,
      nothing,
      () => ({ accepted: new Map([...accepted].slice(1)) }),
    ],
    [
      'a task that was charged twice',
      /was charged/,
      async (tx) => {
        const task = await tx.one<{ account_id: string; key_id: string }>('select * from tasks where id = ?', [
          idOf('good'),
        ])
        await tx.run('update accounts set balance = balance - 1')
        await tx.run('update keys set credit_used = credit_used + 1 where id = ?', [task!.key_id])
        const entry = { subject: idOf('good'), kind: 'charge', amount: -1, balance_after: 1, created_at: 1 }
        await tx.insert('ledger', [{ id: 'x', account_id: task!.account_id, key_id: task!.key_id, ...entry }])
      },
    ],
    [
      'a ledger that does not add up',
      /the ledger is exact/,
      (tx) => tx.run('update accounts set balance = balance - 1'),
    ],
    [
      'a task that ended twice',
      /ended other than once/,
      (tx) => tx.insert('audit_moves', [{ seq: 0, task_id: idOf('good'), state: 'fail', attempt: 1 }]),
    ],
    [
      'a task that moved on after its end',
      /moved on after its end/,
      (tx) => tx.insert('audit_moves', [{ seq: 9e12, task_id: idOf('good'), state: 'queueing', attempt: 1 }]),
    ],
    [
      'a write by a worker that does not hold the job',
      /stale writes/,
      async (tx) => {
        await tx.run(`set local application_name = 'worker-9-9'`)
        await tx.run('update tasks set progress = progress where id = ?', [idOf('good')])
      },
    ],
    [
      'a creation that was refused while storage was away',
      /1 of 1 calls were refused while storage was away/,
      nothing,
      () => ({
        calls: [150, 250].map((sentAtMs) => ({ what: 'create', sentAtMs, tookMs: 5, refusal: 'code 455' })),
        ...withCluster({ storageOutages: [{ fromMs: 100, toMs: 200 }] }),
      }),
    ],
    [
      'a callback that never came',
      /bad was never called back/,
      nothing,
      () => ({ receiver: { received: receiver.received.filter(({ path }) => path !== '/ok?bad') } }),
    ],
    [
      'callbacks that differ',
      /was told different things/,
      nothing,
      () => ({ receiver: { received: [...receiver.received, { ...receiver.received[0]!, raw: '{}' }] } }),
    ],
    [
      'a callback that was signed an hour ago',
      /signed with a clock that is off/,
      nothing,
      () => ({ receiver: { received: receiver.received.map((each) => ({ ...each, atMs: each.atMs + 3_600_000 })) } }),
    ],
    ['a file that is gone', /a file of .* is gone/, nothing, () => ({ isStored: async () => false })],
    [
      'a video of a render that was killed',
      /whose render was killed/,
      nothing,
      () => withCluster({ killedRenders: [{ pid: 1, workerPid: 1, taskId: idOf('good'), attempt: 1 }] }),
    ],
    [
      "a killed worker's job that nobody took",
      /took Infinity ms to run again/,
      claimOf('worker-9-9', killedAtMs - 5),
      () => withCluster({ kills }),
    ],
    [
      "a killed worker's job that lay for minutes",
      /took 121000 ms to run again/,
      takenAfter(121_000),
      () => withCluster({ kills }),
    ],
  ]
  for (const [what, words, change, other] of broken) {
    test(`reports ${what}`, async () => {
      await assert.rejects(judgeChanged(change, other?.()), words)
    })
  }

  test('reports a task that does not end', async () => {
    const judged = service.app.db.transaction(async (tx) => {
      await tx.run(
        `update tasks set state = 'generating', video = null, completed_at = null, expires_at = null where id = ?`,
        [idOf('good')],
      )
      await untilAllEnded(tx, 0)
    })
    await assert.rejects(judged, /not at rest/)
  })

  const wrongEnds: [string, string, AskedEnd[]][] = [
    ['failed and was not asked to', 'bad', ['success']],
    ['failed for another reason', 'bad', [{ reason: 'image_format', message: /The script said so/ }]],
    ['failed with another message', 'bad', [{ reason: 'engine_failed', message: /could not be generated/ }]],
    ['succeeded though it was canceled', 'good', [canceled]],
  ]
  for (const [what, name, ends] of wrongEnds) {
    test(`reports a task that ${what}, with its timeline`, async () => {
      const { failedWrongly } = await judgeChanged(nothing, withEnds(name, ends)())
      assert.equal(failedWrongly.length, 1)
      for (const part of [idOf(name), 'failMsg:', 'generating 1']) assert.ok(failedWrongly[0]!.includes(part), part)
    })
  }

  test('accepts either end of a task whose cancellation had no response', () => {
    const ended = { state: 'success', fail_reason: null, fail_msg: null } as const
    const wasCanceled = {
      state: 'fail',
      fail_reason: 'canceled',
      fail_msg: 'The task was canceled by its owner.',
    } as const
    const verdicts = (code: number | null) =>
      [ended, wasCanceled].map((task) => endedAsAsked(task, endsAfterCancel(['success'], code)))
    assert.deepEqual(
      [verdicts(null), verdicts(200), verdicts(422)],
      [
        [true, true],
        [false, true],
        [true, false],
      ],
    )
  })

  test('counts calls while storage was away', async () => {
    const calls = [50, 150, 160, 250].map((sentAtMs) => ({
      what: 'read' as const,
      sentAtMs,
      tookMs: sentAtMs,
      refusal: null,
    }))
    const cluster = withCluster({ storageOutages: [{ fromMs: 100, toMs: 200 }] })
    const { withoutStorage } = await judgeChanged(nothing, { calls, ...cluster })
    assert.deepEqual(withoutStorage, { created: 0, read: 2, slowestMs: 160 })
  })

  test('lists what took longer than the figure to hold, without the time in which PostgreSQL was away', async () => {
    const lateAfter = async (ms: number, outages: Evidence['cluster']['outages'] = []) => {
      const figures = createFigures()
      await judgeChanged(takenAfter(ms), withCluster({ kills, figures, outages }))
      return figures.late.length
    }
    const away = [{ fromMs: killedAtMs, toMs: killedAtMs + 5000 }]
    assert.deepEqual([await lateAfter(29_000), await lateAfter(31_000), await lateAfter(31_000, away)], [0, 1, 0])
    const figures = createFigures()
    figures.took('use PostgreSQL again', 9000)
    figures.took('use PostgreSQL again', 11_000)
    assert.equal(figures.late.length, 1)
    assert.throws(() => figures.took('use PostgreSQL again', 61_000), /took 61000 ms/)
    figures.took('stop', 30_001)
    assert.equal(figures.late.length, 2)
    assert.throws(() => figures.took('stop', 120_001), /took 120001 ms/)
  })
})
