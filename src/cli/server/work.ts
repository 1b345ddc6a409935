// dailies work: runs jobs of a service on PostgreSQL, on any number of machines, until it receives a signal.
import type { Role, WorkQueue } from '../../app.ts'
import type { Config } from '../../config.ts'
import { OperatorError } from '../../platform/errors.ts'
import { command, UsageError, wholeNumberFlag } from '../command.ts'
import { runProcess } from './serve.ts'

export const work = command({
  name: 'work',
  flags: {
    queues: { value: 'LIST', help: 'which of prepare,generate,deliver,infer; by default all of them' },
    slots: { value: 'N', help: 'videos to make at once (DAILIES_RENDER_SLOTS)' },
    port: { value: 'N', help: 'serve /livez, /readyz and /metrics on this port; without it nothing listens' },
  },
  summary: 'Run the jobs of a service on PostgreSQL',
  details:
    'Fetches input files, makes videos, sends callbacks and runs inference for the servers on the same database. Every ' +
    'machine needs the same DAILIES_DATABASE_URL, DAILIES_STORAGE_URL and DAILIES_PUBLIC_URL.',
  examples: ['dailies work', 'dailies work --queues generate --slots 4 --port 9100'],
  async run({ config, overrides, json, flags }) {
    const { workQueues } = await import('../../app.ts')
    const works = readQueues(flags.queues, workQueues)
    const slots = wholeNumberFlag('--slots', flags.slots)
    const port = wholeNumberFlag('--port', flags.port)
    if (slots === 0) throw new UsageError('--slots must be at least 1')
    if (port !== null && port > 65_535) throw new UsageError('--port must be a port number from 0 to 65535')
    refuseUnshared(config)
    const settings = { ...config, renderSlots: slots ?? config.renderSlots, port: port ?? config.port }
    const role: Role = { serves: port === null ? 'nothing' : 'health', works }
    return runProcess(settings, overrides, role, (address) => {
      if (json) return JSON.stringify({ queues: works, address: address || null })
      return `Dailies works on ${works.join(', ')}${address === '' ? '' : `; health on ${address}`}`
    })
  },
})

function readQueues(list: string | undefined, known: readonly WorkQueue[]): WorkQueue[] {
  if (list === undefined) return [...known]
  const names = list.split(',').map((name) => name.trim())
  const unknown = names.find((name) => !(known as readonly string[]).includes(name))
  if (unknown !== undefined) throw new UsageError(`--queues has no "${unknown}"; there are ${known.join(', ')}`)
  return [...new Set(names)] as WorkQueue[]
}

function refuseUnshared(config: Config): void {
  if (config.databaseUrl === null) {
    throw new OperatorError(
      'work needs a PostgreSQL that all processes share: set DAILIES_DATABASE_URL. With SQLite the one server does all the work',
    )
  }
  if (config.publicUrl === null) {
    throw new OperatorError(
      'work needs DAILIES_PUBLIC_URL, the address of the service: callbacks name the URLs of files under it',
    )
  }
}
