// What another account notices of each attack of one client. The service, the attacker and the observer are processes of
// their own. An attack's figures are compared with what the observer saw just before it, and with what it sees beside a
// process that is as busy as the attacker was and leaves the service alone: they share the cores.
//   node bench/attacks.ts [--seconds=30] [--only=<part of a name>,…]
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { type Observed, type SmallRequest, smallRequests } from '../test/support/attacks/observe.ts'
import { startWatchedProcess } from '../test/support/attacks/watched-process.ts'
import { cliJson } from '../test/support/service/process.ts'
import { testKey } from '../test/support/service/service.ts'
import { startChild } from './attacks/child.ts'
import { startMcp } from './attacks/mcp.ts'
import { readUsage } from './attacks/usage.ts'
import { median, percentile } from './support.ts'

const { values: flags } = parseArgs({
  options: { seconds: { type: 'string', default: '30' }, only: { type: 'string', default: '' } },
})
const seconds = Number(flags.seconds)
const quietSeconds = Math.min(10, seconds)
/** After an attack, before its memory is measured. */
const settleMs = 3000
/** Tasks that an attack has created may go on for long. */
const idleSecondsMax = 60

const folder = await mkdtemp(join(tmpdir(), 'bench-attacks-'))
// Without the budget of time: otherwise most of an attack is refused, and nothing is measured.
const env = {
  DAILIES_DATA: folder,
  TEST_ENGINE: 'studio',
  DAILIES_CREDITS: '100000000',
  DAILIES_FREE_WORK: 'off',
  DAILIES_LOG_LEVEL: 'error',
  // One attack forges addresses. A proxy in front would end the permission for loopback targets.
  DAILIES_TRUST_PROXY: 'true',
  DAILIES_ALLOW_PRIVATE_NETWORK: '127.0.0.0/8',
}
const service = await startWatchedProcess(env)
const account = await cliJson(['accounts', 'create', 'victim', '--credits', '1000000'], env)
const subKey = (await service.api.post('/api/v1/keys', { name: 'attacker' })).body.data.key
const limited = await cliJson(['keys', 'create', '--account', 'default', '--rate', '100/10s'], env)
const mcp = await startMcp(service.url)
const attacker = await startChild(new URL('attacks/attacker.ts', import.meta.url), [
  service.url,
  testKey,
  subKey,
  limited.key,
  mcp.url,
])
const observer = await startChild(new URL('attacks/observer.ts', import.meta.url), [service.url, account.key])
const neighbour = await startChild(new URL('attacks/neighbour.ts', import.meta.url), [])
const observe = (forSeconds: number) => observer.ask({ seconds: forSeconds }) as Promise<Observed>

/** What an attack left in the queues is worked off. */
async function untilIdle(): Promise<void> {
  const used = () => {
    const { cpuMs, childrenCpuMs } = readUsage(service.child.pid!)
    return cpuMs + childrenCpuMs
  }
  for (let seconds = 0; seconds < idleSecondsMax; seconds++) {
    const before = used()
    await sleep(1000)
    if (used() - before < 100) return
  }
}

/** Ends the attack, waits until its work is done, and reports on the process. */
async function settled() {
  await attacker.ask({ stop: true })
  await sleep(settleMs)
  return { ...(await service.report()), ...readUsage(service.child.pid!) }
}

async function besideNeighbour(share: number): Promise<Observed> {
  await neighbour.ask({ share })
  const observed = await observe(quietSeconds)
  await neighbour.ask({ share: 0 })
  return observed
}

const p50 = ({ times }: Observed, request: SmallRequest) => median(times[request])

/** Median when quiet and during the attack, the ratio of both, the ratio to the neighbour, and the 99th percentile. */
function cell(request: SmallRequest, [quiet, observed, beside]: Observed[]): string {
  const [before, during] = [p50(quiet!, request), p50(observed!, request)]
  const ratios = [during / before, during / p50(beside!, request)].map((ratio) => `${ratio.toFixed(2)}×`.padStart(7))
  const p99 = percentile(observed!.times[request], 0.99).toFixed(0)
  return `${before.toFixed(1).padStart(7)}${during.toFixed(1).padStart(7)}${ratios.join('')}${p99.padStart(6)}`
}

async function measure(name: string): Promise<void> {
  await untilIdle()
  const quiet = await observe(quietSeconds)
  // The first seconds of an attack load what it needs, and are not measured.
  await attacker.ask({ start: name })
  await sleep(2000)
  const before = await settled()
  await attacker.ask({ start: name })
  await sleep(1000)
  const used = () => [readUsage(attacker.pid), readUsage(service.child.pid!)] as const
  const [attackerBefore, serviceBefore] = used()
  const startedAt = performance.now()
  const observed = await observe(seconds)
  const tookMs = performance.now() - startedAt
  const [attackerAfter, serviceAfter] = used()
  const after = await settled()
  const attackerShare = (attackerAfter.cpuMs - attackerBefore.cpuMs) / tookMs
  await untilIdle()
  const beside = await besideNeighbour(attackerShare)
  const shares = [
    attackerShare,
    (serviceAfter.cpuMs - serviceBefore.cpuMs) / tookMs,
    (serviceAfter.childrenCpuMs - serviceBefore.childrenCpuMs) / tookMs,
  ]
  console.log(
    `${name.padEnd(36)}${smallRequests.map((request) => cell(request, [quiet, observed, beside])).join('')}` +
      `${after.longestTurnMs.toFixed(0).padStart(6)} ms` +
      `  ${shares.map((share) => share.toFixed(2)).join(' ')}` +
      `  ${before.megabytes.toFixed(0)} → ${after.megabytes.toFixed(0)}` +
      ` (${before.usedMegabytes.toFixed(0)} → ${after.usedMegabytes.toFixed(0)}),` +
      ` ${before.childrenMegabytes.toFixed(0)} → ${after.childrenMegabytes.toFixed(0)}`,
  )
  if (observed.refusals.length > 0) console.log(`  ${observed.refusals.length} refused: ${observed.refusals[0]}`)
}

try {
  console.log('milliseconds: median when quiet, during the attack, ratio, ratio to a busy neighbour, 99th percentile')
  const heads = smallRequests.map((request) => request.padStart(34)).join('')
  console.log(
    `${''.padEnd(36)}${heads}  longest turn; cores of attacker, service, children;` +
      ' MB of the service (in use by JavaScript), of its children',
  )
  // Models are loaded, code is compiled and pools are filled before anything is compared.
  await observe(quietSeconds)
  const names = (await attacker.ask({ list: true })) as string[]
  const parts = flags.only.split(',')
  const chosen = names.filter((name) => parts.some((part) => name.includes(part)))
  for (const name of chosen) await measure(name)
} finally {
  for (const child of [attacker, observer, neighbour, mcp]) child.stop()
  await service.kill('SIGTERM')
  await rm(folder, { recursive: true, force: true })
}
