// dailies serve: runs the API, and with SQLite also all jobs, until it receives a signal.
import type { App } from '../../app.ts'
import type { Config } from '../../config.ts'
import { OperatorError } from '../../platform/errors.ts'
import type { Command } from '../command.ts'

/** A longer stop is cut off; interrupted jobs run again after the next start. */
const stopWithinMs = 28_000

export const serve: Command = {
  name: 'serve',
  flags: { work: { help: 'with PostgreSQL: also run the jobs, as dailies work does; with SQLite it always does' } },
  summary: 'Run the service',
  details: 'With PostgreSQL it serves requests and leaves the jobs to processes started with dailies work.',
  examples: ['dailies serve', 'DAILIES_PORT=9000 dailies serve --work'],
  async run({ config, overrides, json, flags }) {
    // Files that the service writes are readable by its own user only.
    process.umask(0o077)
    // Loaded only here: the other commands start several times faster without the server's parts.
    const { createApp, workQueues } = await import('../../app.ts')
    const works = config.databaseUrl === null || flags.work === true ? workQueues : []
    const app = await createApp(config, overrides, { serves: 'everything', works })
    const address = await app.start().catch(async (error) => {
      await app.stop()
      throw listenError(error, config)
    })
    // Signal handlers come first: a supervisor may send a signal as soon as it reads the line.
    const stopping = stopSignal()
    const key = app.firstKey
    console.log(json ? JSON.stringify({ address, key }) : welcome(config.publicUrl ?? address, key))
    return runUntilStopped(app, stopping)
  },
}

/**
 * Waits for a signal to stop, or for a schema that this process does not support, then stops; for every command that
 * runs a process of the service.
 */
export async function runUntilStopped(app: Pick<App, 'stop' | 'outdated'>, stopping: Promise<string>) {
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

function welcome(url: string, key: string | null): string {
  const shownKey = key ?? '$DAILIES_KEY'
  return [
    `Dailies listens on ${url}`,
    ...(key ? [`API key: ${key}   (shown only once; it is stored only as a hash)`] : []),
    '',
    `Open ${url} in a browser and sign in with the key, or try:`,
    `  curl ${url}/api/v1/account/credit -H "Authorization: Bearer ${shownKey}"`,
    '',
  ].join('\n')
}

export function listenError(error: NodeJS.ErrnoException, config: Config): unknown {
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

export function stopSignal(): Promise<string> {
  return new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => resolve(signal))
  })
}
