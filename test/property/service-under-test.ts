// The real service under the walk: started, killed without a word, and started again on what it left behind.
import assert from 'node:assert/strict'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { checkLedger } from '../../src/account-data/check-ledger.ts'
import type { Db } from '../../src/db/db.ts'
import { openDatabase } from '../../src/db/open.ts'
import { findTask } from '../../src/tasks/store/read.ts'
import { readTimeline } from '../../src/tasks/store/timeline.ts'
import { createPuppets, type Puppets } from '../support/engines/puppet-engine.ts'
import { makeSeverable, type SeverableDb } from '../support/faults/severable-db.ts'
import type { createManualClock } from '../support/manual-clock.ts'
import type { Api } from '../support/service/api.ts'
import { startService, type TestService } from '../support/service/service.ts'
import { illegalMove, type KeyName, type Model, type State } from './model.ts'
import { observedMoves, observeMoves } from './observed-moves.ts'

/** Of the manual clock; the heartbeat's timer is a third of it in real time. */
export const leaseMs = 300
const settleWithinMs = 15_000

interface Row {
  id: string
  state: State
  progress: number
  fail_reason: string | null
  alive_until: number | null
  failures: number | null
  crashes: number | null
}

export class ServiceUnderTest {
  readonly puppets: Puppets = createPuppets()
  private readonly env: Record<string, string>
  private readonly clock: ReturnType<typeof createManualClock>
  private readonly folders: string[] = []
  private service!: TestService
  private severable!: SeverableDb
  private subSecret: string | null = null

  constructor(env: Record<string, string>, clock: ReturnType<typeof createManualClock>) {
    this.env = { ...env }
    this.clock = clock
  }

  get db(): Db {
    return this.severable.db
  }

  as(key: KeyName): Api {
    return key === 'main' ? this.service.api : this.service.as(this.subSecret)
  }

  async start(): Promise<void> {
    this.puppets.followed.clear()
    this.service = await startService(this.env, {
      clock: this.clock,
      leaseMs,
      // What crashed together starts together: the model knows the order of the tasks alone.
      random: () => 0,
      engine: this.puppets.engine,
      fetchInputs: this.puppets.fetchInputs,
      openDatabase: async (config) => {
        this.severable = makeSeverable(await openDatabase(config))
        return this.severable.db
      },
    })
    await observeMoves(this.db)
  }

  async makeSubKey(creditLimit: number): Promise<void> {
    const answer = await this.as('main').post('/api/v1/keys', { name: 'sub', creditLimit })
    this.subSecret = answer.body.data.key
  }

  severAfter(statements: number): Promise<void> {
    this.severable.severAfter(statements)
    return this.severable.severed
  }

  /** Ended as by kill -9: nothing is finished, responded to or released. */
  async kill(): Promise<void> {
    const { server } = this.service.app
    await this.severable.sever()
    server.server.closeAllConnections()
    await server.close()
    if (this.env.DAILIES_DATABASE_URL === undefined) await this.moveHouse()
  }

  /** The dead process would have let go of its folder's lock; this one cannot, so its successor gets a copy. */
  private async moveHouse(): Promise<void> {
    const folder = await mkdtemp(join(tmpdir(), 'dailies-test-'))
    const old = this.env.DAILIES_DATA!
    await cp(old, folder, { recursive: true, filter: (path) => !path.includes('server.lock') })
    this.folders.push(folder)
    this.env.DAILIES_DATA = folder
  }

  /** Reads what a dead service left, before anybody else touches it. */
  async autopsy(): Promise<Row[]> {
    const db = await openDatabase({
      dataDir: this.env.DAILIES_DATA!,
      databaseUrl: this.env.DAILIES_DATABASE_URL ?? null,
    })
    return db.all<Row>(selectRows).finally(() => db.close())
  }

  advance(ms: number): void {
    this.clock.advance(ms)
  }

  upkeep(): Promise<void> {
    return this.service.app.upkeep()
  }

  /** Work that came due by the clock's move is looked for now, not at the next poll. */
  async wake(): Promise<void> {
    await this.db.transaction((tx) => tx.announce('jobs'))
  }

  async end(): Promise<void> {
    await this.kill()
    for (const folder of this.folders) await rm(folder, { recursive: true, force: true })
  }

  /** Waits until the service is where the model is, then compares everything that can be seen of it. */
  async agree(model: Model): Promise<void> {
    const deadline = performance.now() + settleWithinMs
    const expected = expectedView(model)
    let actual = await this.view()
    while (JSON.stringify(actual) !== JSON.stringify(expected) && performance.now() < deadline) {
      await sleep(4)
      actual = await this.view()
    }
    assert.deepEqual(actual, expected)
    const credit = await this.as('main').get('/api/v1/account/credit')
    assert.equal(credit.body.data, model.balance, 'the balance')
    assert.deepEqual((await checkLedger(this.db)).problems, [])
    await this.checkTimelines(model)
    for (const task of model.tasks) {
      if (task.starts !== null)
        assert.equal(this.puppets.starts.get(task.prompt) ?? 0, task.starts, `starts of ${task.prompt}`)
    }
  }

  private async view() {
    const rows = await this.db.all<Row>(selectRows)
    return {
      tasks: rows.map((row) => `${row.id} ${row.state} ${row.progress} ${row.fail_reason ?? '-'}`),
      jobs: rows.map((row) =>
        row.failures === null ? 'none' : `${leaseOf(row.alive_until, this.clock.now())} ${row.failures} ${row.crashes}`,
      ),
      followed: [...this.puppets.followed.keys()].sort(),
    }
  }

  private async checkTimelines(model: Model): Promise<void> {
    const moves = await observedMoves(this.db)
    for (const task of model.tasks.filter((task) => !task.deleted)) {
      const states: State[] = ['wait', ...moves.filter((move) => move.task_id === task.id).map((move) => move.state)]
      assert.equal(illegalMove(states), null, `the timeline of ${task.prompt}: ${states.join(', ')}`)
      assert.equal(states.at(-1), task.state)
      const shown = await readTimeline(this.db, (await findTask(this.db, task.id))!)
      assert.deepEqual(
        shown.map((move) => move.state),
        states,
        `the shown timeline of ${task.prompt}`,
      )
    }
  }
}

/** Time that leaps outruns the heartbeat for a moment. */
function leaseOf(aliveUntil: number | null, nowMs: number): string {
  if (aliveUntil === null) return 'free'
  return aliveUntil > nowMs ? 'leased' : 'overdue'
}

const selectRows = `select t.id, t.state, t.progress, t.fail_reason, w.alive_until, j.failures, j.crashes
  from tasks t left join jobs j on j.subject = t.id left join workers w on w.id = j.worker order by t.id`

function expectedView(model: Model) {
  const shown = model.tasks.filter((task) => !task.deleted).sort((a, b) => (a.id < b.id ? -1 : 1))
  return {
    tasks: shown.map((task) => `${task.id} ${task.state} ${task.progress} ${task.failReason ?? '-'}`),
    jobs: shown.map((task) =>
      task.completedAt !== null ? 'none' : `${task.leased ? 'leased' : 'free'} ${task.failures} ${task.crashes}`,
    ),
    followed: shown
      .filter((task) => task.state === 'generating' && !task.orphan)
      .map((task) => task.prompt)
      .sort(),
  }
}
