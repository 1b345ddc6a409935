// dailies maintenance and dailies features …: switches that every running server applies within a second.
import { InvalidRequest } from '../../../client/src/public.ts'
import { OperatorError } from '../../platform/errors.ts'
import { type Command, type CommandResult, command, UsageError } from '../command.ts'
import { shownList } from '../terminal/print.ts'

const maintenance = command({
  name: 'maintenance',
  args: ['[on|off]'],
  summary: 'Switch maintenance on or off; without an argument, show it',
  details: 'While it is on, requests that create work are refused with 455. Reads and running tasks continue.',
  examples: ['dailies maintenance on', 'dailies maintenance off', 'dailies maintenance'],
  operate({ args: [word] }) {
    const wanted = onOrOff(word)
    return async (client) => {
      const status = wanted === null ? await client.operator.status() : await client.operator.setMaintenance(wanted)
      return shownMaintenance(status.maintenance)
    }
  },
})

function onOrOff(word: string | undefined): boolean | null {
  if (word !== undefined && word !== 'on' && word !== 'off') {
    throw new UsageError(`maintenance is on or off, not "${word}"`)
  }
  return word === undefined ? null : word === 'on'
}

function shownMaintenance(on: boolean): CommandResult {
  return {
    data: { maintenance: on },
    text: on ? 'Maintenance is on: new work is refused.' : 'Maintenance is off: new work is accepted.',
  }
}

const list = command({
  name: 'features list',
  summary: 'List the features, and whether they are on',
  examples: ['dailies features list'],
  operate: () => async (client) => {
    const { features } = await client.operator.status()
    return shownList(features, 'There are no features.', ['FEATURE', 'STATE'], ({ name, enabled }) => [
      name,
      enabled ? 'on' : 'off',
    ])
  },
})

function switchFeature(verb: 'enable' | 'disable', summary: string): Command {
  const enabled = verb === 'enable'
  return command({
    name: `features ${verb}`,
    args: ['NAME'],
    summary,
    examples: [`dailies features ${verb} 4k`],
    operate:
      ({ args: [name], isRemote }) =>
      async (client) => {
        const data = await client.operator.setFeature(name, enabled).catch(async (error) => {
          if (isRemote || !(error instanceof InvalidRequest)) throw error
          const names = (await client.operator.status()).features.map((feature) => feature.name)
          throw new OperatorError(`there is no feature "${name}"; there are ${names.join(', ')}`)
        })
        return { data, text: `The feature ${data.name} is ${data.enabled ? 'on' : 'off'}.` }
      },
  })
}

export const switchCommands: Command[] = [
  maintenance,
  list,
  switchFeature('enable', 'Switch a feature on'),
  switchFeature('disable', 'Switch a feature off: requests that need it are refused with 505'),
]
