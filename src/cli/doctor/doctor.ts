// dailies doctor: checks everything the service needs and reports what is wrong and how to fix it.
// The checks themselves are in the files beside this one.
import { type Config, loadConfig, readEnvironment } from '../../config.ts'
import { command } from '../command.ts'
import { proseTable } from '../terminal/print.ts'
import { type Check, checkDisk, checkFolder, checkNode, checkPublicUrl, checkServer, checkSettings } from './checks.ts'
import { checkDatabase } from './database.ts'
import { checkStorage } from './storage.ts'

export const doctor = command({
  name: 'doctor',
  summary: 'Check everything the service needs; exit code 1 when something is wrong',
  details: 'It changes nothing, and works while the service runs as well as before its first start.',
  examples: ['dailies doctor', 'dailies doctor --json'],
  async run() {
    const checks = await runChecks(readEnvironment())
    const problems = checks.filter((check) => check.status === 'problem').length
    return {
      data: { ok: problems === 0, checks },
      text: report(checks, problems),
      exitCode: problems === 0 ? 0 : 1,
    }
  },
})

async function runChecks(env: Record<string, string | undefined>): Promise<Check[]> {
  const checks = [checkNode(process.versions.node), ...checkSettings(env)]
  let config: Config
  try {
    config = loadConfig(env)
  } catch {
    // The check of the settings has reported the problem; the other checks need valid settings.
    return checks
  }
  // Loaded only here: other commands start several times faster without the engines.
  const { checkEngines } = await import('./engines.ts')
  return [
    ...checks,
    ...(await checkFolder(config.dataDir)),
    await checkDisk(config.dataDir),
    checkPublicUrl(config),
    ...(await checkDatabase(config, Date.now())),
    ...(await checkEngines(config)),
    ...(await checkStorage(config)),
    ...(await checkServer(config)),
  ]
}

const marks = { ok: 'ok', warning: 'WARNING', problem: 'PROBLEM' }

function report(checks: Check[], problems: number): string {
  const lines = proseTable(
    ['', 'CHECK', ''],
    checks.map((check) => [marks[check.status], check.name, check.message]),
  )
  const advice = checks.filter((check) => check.advice !== null).map((check) => `  ${check.name}: ${check.advice}`)
  return [
    lines,
    ...(advice.length > 0 ? ['', 'What to do:', ...advice] : []),
    '',
    problems > 0 ? 'Something is wrong.' : 'Nothing is wrong.',
  ].join('\n')
}
