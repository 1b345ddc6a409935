// One process of the cluster under faults: started again whenever it has ended, as a supervisor would, under a new name
// in the database, so that what each of its processes wrote can be distinguished.
import assert from 'node:assert/strict'
import { rm, writeFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { type ServiceProcess, startProcess, startWorker } from '../support/service/process.ts'
import { within } from '../support/within.ts'
import { figureOf } from './figures.ts'

export interface SupervisedProcess {
  name: string
  role: 'server' | 'worker'
  /** Of a server. */
  url: string
  /** What its present process is called in the database. */
  label: string
  process: Omit<ServiceProcess, 'api'>
  /** Where its own files lie. */
  dataDir: string
  /** Resolves when it is up, after whatever was done to it last. */
  up: Promise<void>
  /** Starts the first process. */
  start(): Promise<void>
  kill(): Promise<void>
  /** Kills it when it comes by this point (test/support/faults/kill-points.ts). */
  killAt(point: string): Promise<void>
  /** Sends a signal to stop; it must stop in time. `clockSkewMs` puts the clock of the next process off. */
  terminate(clockSkewMs?: number): void
  /** Its connections to this origin are refused until the returned function is called, also after a new start. */
  cutOffFrom(origin: string): Promise<() => Promise<void>>
}

/** A process that was killed with all that it held. */
export interface Kill {
  label: string
  atMs: number
}

export interface ProcessOptions {
  name: string
  role: SupervisedProcess['role']
  dataDir: string
  /** Of a server. */
  port?: number
  env(label: string): Record<string, string>
  kills: Kill[]
  onStopped(tookMs: number): void
}

const skewedClock = new URL('../support/faults/skewed-clock.ts', import.meta.url).href
const killPoints = new URL('../support/faults/kill-points.ts', import.meta.url).href
const noEgress = new URL('../support/faults/no-egress.ts', import.meta.url).href
const startWithinMs = 90_000
const startAgainAfterMs = 300
const reachPointWithinMs = 90_000
const cutOffAfterMs = 28_000

export function createSupervisedProcess({
  name,
  role,
  port,
  dataDir,
  env,
  kills,
  onStopped,
}: ProcessOptions): SupervisedProcess {
  const ownFile = (what: string) => `${dataDir}/${name.replace(' ', '-')}.${what}`
  const pointFile = ownFile('point')
  const noEgressFile = ownFile('no-egress')
  let starts = 0

  async function begin(clockSkewMs: number): Promise<void> {
    const label = `${role}-${name.at(-1)}-${++starts}`
    const settings = {
      // Minutes under load, of which only failures are looked at.
      DAILIES_LOG_LEVEL: 'error',
      ...env(label),
      DAILIES_DATA: dataDir,
      NODE_OPTIONS: [skewedClock, killPoints, noEgress].map((each) => `--import ${each}`).join(' '),
      TEST_CLOCK_SKEW_MS: String(clockSkewMs),
      TEST_KILL_POINT_FILE: pointFile,
      TEST_NO_EGRESS_FILE: noEgressFile,
    }
    const started =
      role === 'worker'
        ? await startWorker(settings)
        : await startProcess({ ...settings, DAILIES_PORT: String(port) }, ['serve'])
    Object.assign(own, { label, process: started })
  }

  /** A start that fails, such as for want of PostgreSQL, is made again. */
  async function beginAgain(clockSkewMs = 0): Promise<void> {
    const deadline = performance.now() + startWithinMs
    for (;;) {
      try {
        return await begin(clockSkewMs)
      } catch (error) {
        if (performance.now() > deadline) throw error
        await sleep(startAgainAfterMs)
      }
    }
  }

  function comeBack(work: Promise<void>) {
    own.up = work
    // Reported to the next caller that waits for it, at the latest at the end of the run.
    work.catch(() => {})
  }

  function noteKill(label: string) {
    kills.push({ label, atMs: Date.now() })
    comeBack(beginAgain())
  }

  const own: SupervisedProcess = {
    name,
    role,
    dataDir,
    url: port === undefined ? '' : `http://127.0.0.1:${port}`,
    label: '',
    process: undefined as unknown as ServiceProcess,
    up: Promise.resolve(),
    start: () => begin(0),
    async kill() {
      await own.up
      await own.process.kill('SIGKILL')
      noteKill(own.label)
    },
    async killAt(point) {
      await own.up
      await writeFile(pointFile, point)
      own.process.child.kill('SIGUSR2')
      const code = await within(reachPointWithinMs, `${name} to come to: ${point}`, own.process.exited)
      assert.equal(code, null, `${name} ended by itself: ${own.process.output().slice(-2000)}`)
      noteKill(own.label)
    },
    terminate(clockSkewMs) {
      const stop = async () => {
        await own.up
        const { process: child } = own
        const toldAtMs = performance.now()
        const code = await within(figureOf.stop.deadlineMs, `${name} to stop`, child.kill('SIGTERM'))
        const tookMs = performance.now() - toldAtMs
        onStopped(tookMs)
        // A stop that takes too long is cut off by the process itself.
        const isCutOff = tookMs >= cutOffAfterMs && code === 1
        assert.ok(code === 0 || isCutOff, `${name} ended with ${code}: ${child.output().slice(-3000)}`)
        await beginAgain(clockSkewMs)
      }
      comeBack(stop())
    },
    async cutOffFrom(origin) {
      await writeFile(noEgressFile, new URL(origin).host)
      return () => rm(noEgressFile)
    },
  }
  return own
}
