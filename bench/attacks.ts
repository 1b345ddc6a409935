// What another account notices of each attack of one client. The service, the attacker and the observer are processes of
// their own. Every row compares with the observer's quiet figures of the same run.
//   node bench/attacks.ts [--seconds=30] [--only=<part of a name>]
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import type { Observed, SmallRequest, Times } from '../test/support/attacks/observe.ts'
import { type LoopReport, startWatchedProcess } from '../test/support/attacks/watched-process.ts'
import { cliJson } from '../test/support/service/process.ts'
import { testKey } from '../test/support/service/service.ts'
import { startChild } from './attacks/child.ts'
import { median, percentile } from './support.ts'

const { values: flags } = parseArgs({
  options: { seconds: { type: 'string', default: '30' }, only: { type: 'string', default: '' } },
})
const seconds = Number(flags.seconds)
/** After an attack: what it left in the queues is worked off. */
const settleMs = 3000

const folder = await mkdtemp(join(tmpdir(), 'bench-attacks-'))
// Without the budget of time: otherwise most of an attack is refused, and nothing is measured.
const env = {
  ...{ DAILIES_DATA: folder, TEST_ENGINE: 'studio', DAILIES_CREDITS: '100000000', DAILIES_FREE_WORK: 'off' },
  DAILIES_LOG_LEVEL: 'error',
}
const service = await startWatchedProcess(env)
const account = await cliJson(['accounts', 'create', 'victim', '--credits', '1000000'], env)
const subKey = (await service.api.post('/api/v1/keys', { name: 'attacker' })).body.data.key
const attacker = await startChild(new URL('attacks/attacker.ts', import.meta.url), [service.url, testKey, subKey])
const observer = await startChild(new URL('attacks/observer.ts', import.meta.url), [service.url, account.key])
const observe = (forSeconds: number) => observer.ask({ seconds: forSeconds }) as Promise<Observed>

/** Ends the attack, waits until its work is done, and reports on the process. */
async function settled(): Promise<LoopReport> {
  await attacker.ask({ stop: true })
  await sleep(settleMs)
  return service.report()
}

const memory = ({ megabytes, usedMegabytes }: LoopReport) => `${megabytes.toFixed(0)} (${usedMegabytes.toFixed(0)}) MB`

let quiet: Times | undefined

function row(name: string, { times, refusals }: Observed, rest: string): void {
  quiet ??= times
  const cell = (request: SmallRequest) => {
    const [p50, p99] = [median(times[request]), percentile(times[request], 0.99)]
    const ratio = `${(p50 / median(quiet![request])).toFixed(2)}×`
    return `${p50.toFixed(0).padStart(6)}${ratio.padStart(8)}${p99.toFixed(0).padStart(6)}`
  }
  const cells = (['livez', 'balance', 'upload', 'embedding'] as const).map(cell)
  console.log(`${name.padEnd(38)}${cells.join('')}  ${rest}`)
  if (refusals.length > 0) console.log(`  ${refusals.length} refused, such as: ${refusals[0]}`)
}

try {
  console.log('milliseconds: median, its ratio to the quiet one, 99th percentile')
  console.log(
    `${''.padEnd(38)}${['/livez', 'balance', 'upload', 'embedding'].map((head) => head.padStart(20)).join('')}` +
      '  longest turn, memory before and after (in use by JavaScript)',
  )
  // Models are loaded, code is compiled and pools are filled before anything is compared.
  await observe(Math.min(10, seconds))
  row('quiet', await observe(seconds), memory(await service.report()))
  for (const name of ((await attacker.ask({ list: true })) as string[]).filter((each) => each.includes(flags.only))) {
    // The first seconds of an attack load what it needs, and are not measured.
    await attacker.ask({ start: name })
    await sleep(2000)
    const before = await settled()
    await attacker.ask({ start: name })
    await sleep(1000)
    const observed = await observe(seconds)
    const after = await settled()
    row(name, observed, `${after.longestTurnMs.toFixed(0)} ms  ${memory(before)} → ${memory(after)}`)
  }
} finally {
  attacker.stop()
  observer.stop()
  await service.kill('SIGTERM')
  await rm(folder, { recursive: true, force: true })
}
