// What can go wrong, each as one function that makes it happen to a cluster under load and mends it again. Processes
// come back on their own meanwhile (test/faults/supervised-process.ts); what concerns PostgreSQL waits until all are up.
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { untilTrue } from '../../support/until.ts'
import type { SupervisedProcess } from '../supervised-process.ts'
import { pictureFaults } from './picture-faults.ts'
import { longPostgresFault, postgresFaults } from './postgres-faults.ts'
import { processTree, renderChildren, untilRendering } from './render-children.ts'
import { type Fault, some } from './stage.ts'
import { longStorageFaults, storageFaults } from './storage-faults.ts'

const hourMs = 3_600_000
/** A render waits behind those of the load. */
const endWithinMs = 150_000
/** A process that is stopped in the middle of a transaction keeps its locks for 10 s. */
const takeOverWithinMs = 40_000

const kill =
  (role: SupervisedProcess['role']): Fault =>
  async (stage) =>
    (await some(stage, role)).kill()

const killAt = (role: SupervisedProcess['role'], points: string[]): Record<string, Fault> =>
  Object.fromEntries(
    points.map((point) => [
      `a ${role} is killed when ${point}`,
      async (stage) => (await some(stage, role)).killAt(point),
    ]),
  )

const skew =
  (role: SupervisedProcess['role'], byMs: number): Fault =>
  async (stage) => {
    const each = await some(stage, role)
    each.terminate(stage.random() < 0.5 ? byMs : -byMs)
  }

/** Stops a process, waits, and lets it go on as if nothing had been. */
async function hang(worker: SupervisedProcess, wait: () => Promise<void>): Promise<void> {
  await worker.up
  const { child } = worker.process
  child.kill('SIGSTOP')
  try {
    await wait()
  } finally {
    child.kill('SIGCONT')
  }
}

/** Tasks that take a while, with who works on each. */
const heldSql = `select subject, who from audit_holds join tasks on tasks.id = subject
  where audit_holds.state = 'claimed' and tasks.state = 'generating' and tasks.param like '%wait 2s%'`

/** One of them hangs with a job until another has it too; then both work on it. */
const sameJob: Fault = async ({ cluster }) => {
  await Promise.all(cluster.processes.map(({ up }) => up))
  const byLabel = new Map(cluster.processes.map((each) => [each.label, each]))
  const holdOf = async (taskId: string) => {
    const sql = 'select who, state from audit_holds where subject = $1'
    return (await cluster.look<{ who: string; state: string }>(sql, [taskId]))[0]!
  }
  let isShared = false
  const share = async () => {
    const held = (await cluster.look<{ subject: string; who: string }>(heldSql)).find(({ who }) => byLabel.has(who))
    if (!held) return
    await hang(byLabel.get(held.who)!, async () => {
      // It may have ended in the moment before.
      if ((await holdOf(held.subject)).state !== 'claimed') return
      const isTaken = async () => {
        const { who, state } = await holdOf(held.subject)
        return who !== held.who && state !== 'freed'
      }
      await untilTrue('another worker has the job too', isTaken, takeOverWithinMs + 2 * cluster.leaseMs)
      isShared = true
    })
  }
  await untilTrue('two workers have the same job', async () => share().then(() => isShared), 120_000)
}

/** As Node.js and as libraries in render children say it. */
const noSpace = /ENOSPC|EFBIG|No space left/g

const fullDisk: Fault = async (stage) => {
  const worker = await some(stage, 'worker')
  const disk = stage.cluster.disks.get(worker.name)!
  const pids = await processTree(worker.process.child.pid!)
  const complaints = () => worker.process.output().match(noSpace)?.length ?? 0
  const before = complaints()
  await disk.fill(pids)
  try {
    await untilTrue(`${worker.name} has no space`, () => complaints() > before, 60_000)
    await sleep(500 + stage.random() * 1000)
  } finally {
    await disk.free(pids)
  }
  assert.equal(worker.process.child.exitCode, null, `${worker.name} ended: ${worker.process.output().slice(-2000)}`)
}

const killRenderChild: Fault = async ({ cluster, load, random }) => {
  await Promise.all(cluster.processes.map(({ up }) => up))
  const workers = cluster.processes.filter(({ role }) => role === 'worker')
  await load.send({ seconds: 5 })
  const child = await untilRendering(
    workers.map((worker) => worker.process.child.pid!),
    random() * 300,
  )
  process.kill(child.pid, 'SIGKILL')
  cluster.killedRenders.push(child)
}

/** A render is not to blame for the workers that are killed while they have it. */
const killThreeInARow: Fault = async ({ cluster, load }) => {
  const taskId = await load.send({ seconds: 3 })
  for (let killed = 0; killed < 3; killed++) {
    await Promise.all(cluster.processes.map(({ up }) => up))
    const workers = cluster.processes.filter(({ role }) => role === 'worker')
    const byPid = new Map(workers.map((worker) => [worker.process.child.pid!, worker]))
    const { workerPid } = await untilRendering([...byPid.keys()], 0, taskId)
    await byPid.get(workerPid)!.kill()
  }
  // Two more kills would end it as too many in a row, which the faults that follow must not add.
  const hasEnded = async () => {
    await sleep(100)
    const sql = `select 1 from tasks where id = $1 and state in ('success', 'fail')`
    return (await cluster.look(sql, [taskId])).length > 0
  }
  await untilTrue('the render ends', hasEnded, endWithinMs)
}

const killIdleRenderChild: Fault = async (stage) => {
  const worker = await some(stage, 'worker')
  const pid = worker.process.child.pid!
  await untilTrue('it has render children', async () => (await renderChildren(pid)).length > 0, 60_000)
  const children = await renderChildren(pid)
  process.kill((children.find(({ taskId }) => taskId === null) ?? children[0]!).pid, 'SIGKILL')
}

export const faults: Record<string, Fault> = {
  'a worker is killed': kill('worker'),
  'a server is killed': kill('server'),
  ...killAt('server', ['a task is committed and not answered', "a task's commit is under way"]),
  ...killAt('worker', [
    'a job is claimed',
    'the input files are there, the plan is not',
    "the engine's handle is stored",
    'the video is stored, the end is not',
    "the end's commit is under way",
    'the end is committed',
    'a callback is being sent',
    'a callback is sent and not noted',
  ]),
  'a render child is killed while it renders': killRenderChild,
  'three workers in a row are killed with the same render': killThreeInARow,
  'an idle render child is killed': killIdleRenderChild,
  'a worker hangs for twice its lease, then goes on': async (stage) =>
    hang(await some(stage, 'worker'), () => sleep(2 * stage.cluster.leaseMs)),
  'two workers hold the same job': sameJob,
  ...postgresFaults,
  ...pictureFaults,
  ...storageFaults,
  "a worker's disk is full": fullDisk,
  "a worker's clock is off by an hour": skew('worker', hourMs),
  "a worker's clock is off by 15 days": skew('worker', 15 * 24 * hourMs),
  "a server's clock is off by an hour": skew('server', hourMs),
  "a server's clock is off by 15 days": skew('server', 15 * 24 * hourMs),
  'a worker is told to stop': async (stage) => (await some(stage, 'worker')).terminate(),
  'a server is told to stop': async (stage) => (await some(stage, 'server')).terminate(),
}

/** Those that take long: a random run has each of them once at most. */
export const longFaults = [longPostgresFault, ...longStorageFaults]
