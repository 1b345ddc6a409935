// dailies serve: runs the API, and with SQLite also all jobs, until it receives a signal.
import { findAccount } from '../../accounts/accounts.ts'
import { firstAccountName } from '../../accounts/first-account.ts'
import type { App, AppOverrides, Role } from '../../app.ts'
import type { Config } from '../../config.ts'
import type { Db } from '../../db/db.ts'
import { OperatorError } from '../../platform/errors.ts'
import { type CommandResult, command } from '../command.ts'
import { writeServerAddress } from '../connect/server-address.ts'

/** After requests and jobs have had their time, parts that do not end by themselves are cut off. */
export const stopWithinMs = (graceMs: number) => graceMs + 8_000

export const serve = command({
  name: 'serve',
  flags: { work: { help: 'with PostgreSQL: also run the jobs, as dailies work does; with SQLite it always does' } },
  summary: 'Run the service',
  details: 'With PostgreSQL it serves requests and leaves the jobs to processes started with dailies work.',
  examples: ['dailies serve', 'DAILIES_PORT=9000 dailies serve --work'],
  async run({ config, overrides, json, flags }) {
    // Loaded only here: the other commands start several times faster without the server's parts.
    const { workQueues } = await import('../../app.ts')
    const works = config.databaseUrl === null || flags.work === true ? workQueues : []
    return runProcess(config, overrides, { serves: 'everything', works }, async (address, { firstKey: key, db }) => {
      if (json) return JSON.stringify({ address, key })
      const canBeLost = key === null && config.apiKey === null
      const text = welcome(config.publicUrl ?? address, key, canBeLost ? await replacementOfKey(db) : null)
      return works.length > 0 ? text : `${text}Its jobs wait for processes started with dailies work.\n`
    })
  },
})

/**
 * Runs a process of the service until it receives a signal to stop, or meets a schema that it does not support.
 * `greeting` is printed once it runs.
 */
export async function runProcess(
  config: Config,
  overrides: AppOverrides,
  role: Role,
  greeting: (address: string, app: App) => string | Promise<string>,
): Promise<CommandResult> {
  // Files that the service writes are readable by its own user only.
  process.umask(0o077)
  const { createApp } = await import('../../app.ts')
  const app = await createApp(config, overrides, role)
  const address = await app.start().catch(async (error) => {
    await app.stop()
    throw listenError(error, config)
  })
  const isSole = config.databaseUrl === null && role.serves === 'everything'
  const removeAddress = isSole ? writeServerAddress(config.dataDir, address) : null
  // Signal handlers come first: a supervisor may send a signal as soon as it reads the line.
  const stopping = stopSignal()
  // A worker that listens on no port and has lost its connections has nothing else that keeps Node.js running.
  const staying = setInterval(() => {}, 60_000)
  console.log(await greeting(address, app))
  const why = await Promise.race([
    stopping.then((signal) => ({ text: `Stopped by ${signal}.`, exitCode: 0 })),
    app.outdated.then((reason) => ({ text: `Stopped: ${reason}.`, exitCode: 1 })),
  ])
  clearInterval(staying)
  const late = setTimeout(() => process.exit(1), stopWithinMs(config.stopGraceMs))
  late.unref()
  removeAddress?.()
  await app.stop()
  // The one JSON document is the greeting.
  return { data: undefined, ...why }
}

/** How a key is replaced that was printed at an earlier start. */
async function replacementOfKey(db: Db): Promise<string> {
  const isThere = (await findAccount(db, firstAccountName)) !== undefined
  const create = `npx dailies keys create --account ${isThere ? firstAccountName : 'NAME'} --operator`
  return isThere ? create : `${create} (accounts list shows the names)`
}

function welcome(url: string, key: string | null, replacement: string | null): string {
  const shownKey = key ?? '$DAILIES_KEY'
  return [
    `Dailies listens on ${url}`,
    ...(key ? [`API key: ${key}   (shown only once; it is stored only as a hash)`] : []),
    '',
    `Open ${url} in a browser and sign in with the key, or try:`,
    `  curl ${url}/api/v1/account/credit -H "Authorization: Bearer ${shownKey}"`,
    ...(replacement ? [`A lost key is replaced by: ${replacement}`] : []),
    '',
  ].join('\n')
}

function listenError(error: NodeJS.ErrnoException, config: Config): unknown {
  if (error.code === 'EADDRINUSE') {
    return new OperatorError(`port ${config.port} is taken by another program; set DAILIES_PORT to a free one`)
  }
  if (error.code === 'EACCES' || error.code === 'EADDRNOTAVAIL' || error.code === 'ENOTFOUND') {
    return new OperatorError(
      `cannot listen on ${config.host}:${config.port} (${error.code}); check DAILIES_HOST and DAILIES_PORT`,
    )
  }
  return error
}

function stopSignal(): Promise<string> {
  return new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => resolve(signal))
  })
}
