// dailies serve: runs the API, and with SQLite also all jobs, until it receives a signal.
import type { AppOverrides, Role } from '../../app.ts'
import type { Config } from '../../config.ts'
import { OperatorError } from '../../platform/errors.ts'
import { type CommandResult, command } from '../command.ts'

/** A longer stop is cut off; interrupted jobs run again after the next start. */
export const stopWithinMs = 28_000

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
    return runProcess(config, overrides, { serves: 'everything', works }, (address, key) =>
      json
        ? JSON.stringify({ address, key })
        : welcome(config.publicUrl ?? address, key, key === null && config.apiKey === null),
    )
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
  greeting: (address: string, firstKey: string | null) => string,
): Promise<CommandResult> {
  // Files that the service writes are readable by its own user only.
  process.umask(0o077)
  const { createApp } = await import('../../app.ts')
  const app = await createApp(config, overrides, role)
  const address = await app.start().catch(async (error) => {
    await app.stop()
    throw listenError(error, config)
  })
  // Signal handlers come first: a supervisor may send a signal as soon as it reads the line.
  const stopping = stopSignal()
  console.log(greeting(address, app.firstKey))
  const why = await Promise.race([
    stopping.then((signal) => ({ text: `Stopped by ${signal}.`, exitCode: 0 })),
    app.outdated.then((reason) => ({ text: `Stopped: ${reason}.`, exitCode: 1 })),
  ])
  const late = setTimeout(() => process.exit(1), stopWithinMs)
  late.unref()
  await app.stop()
  // The one JSON document is the greeting.
  return { data: undefined, ...why }
}

/** `canBeLost`: the key was printed at an earlier start. */
function welcome(url: string, key: string | null, canBeLost: boolean): string {
  const shownKey = key ?? '$DAILIES_KEY'
  return [
    `Dailies listens on ${url}`,
    ...(key ? [`API key: ${key}   (shown only once; it is stored only as a hash)`] : []),
    '',
    `Open ${url} in a browser and sign in with the key, or try:`,
    `  curl ${url}/api/v1/account/credit -H "Authorization: Bearer ${shownKey}"`,
    ...(canBeLost ? ['A lost key is replaced by: npx dailies keys create --account default --operator'] : []),
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
