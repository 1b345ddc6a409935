// dailies maintenance and dailies features …: switches that every running server applies within a second.
import { disabledFeatures, readMaintenance, setFeature, setMaintenance } from '../../accounts/switches.ts'
import type { Config } from '../../config.ts'
import { parseEngineSetup } from '../../engines/setup/engine-setup.ts'
import { videoModels } from '../../models/catalogue.ts'
import { featureNames } from '../../models/features.ts'
import { OperatorError } from '../../platform/errors.ts'
import { type Command, type CommandResult, command, UsageError } from '../command.ts'
import { commandLineActor } from '../connect/actor.ts'
import { withDatabase } from '../connect/with-database.ts'
import { shownList } from '../terminal/print.ts'

const maintenance = command({
  name: 'maintenance',
  args: ['[on|off]'],
  summary: 'Switch maintenance on or off; without an argument, show it',
  details: 'While it is on, requests that create work are refused with 455. Reads and running tasks continue.',
  examples: ['dailies maintenance on', 'dailies maintenance off', 'dailies maintenance'],
  async run({ args: [word], config }) {
    const wanted = onOrOff(word)
    return withDatabase(config, async (db, clock) => {
      if (wanted !== null) await db.transaction((tx) => setMaintenance(tx, commandLineActor(), wanted, clock.now()))
      return shownMaintenance(await readMaintenance(db))
    })
  },
  atServer({ args: [word] }) {
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
  run: ({ config }) =>
    withDatabase(config, async (db) => {
      const disabled = await disabledFeatures(db)
      return shownFeatures(featuresOf(config).map((name) => ({ name, enabled: !disabled.has(name) })))
    }),
  atServer: () => async (client) => shownFeatures((await client.operator.status()).features),
})

const shownFeatures = (items: { name: string; enabled: boolean }[]) =>
  shownList(items, 'There are no features.', ['FEATURE', 'STATE'], ({ name, enabled }) => [
    name,
    enabled ? 'on' : 'off',
  ])

function switchFeature(verb: 'enable' | 'disable', summary: string): Command {
  const enabled = verb === 'enable'
  return command({
    name: `features ${verb}`,
    args: ['NAME'],
    summary,
    examples: [`dailies features ${verb} 4k`],
    async run({ args: [name], config }) {
      const names = featuresOf(config)
      if (!names.includes(name)) {
        throw new OperatorError(`there is no feature "${name}"; there are ${names.join(', ')}`)
      }
      return withDatabase(config, async (db, clock) => {
        await db.transaction((tx) => setFeature(tx, commandLineActor(), name, enabled, clock.now()))
        return { data: { name, enabled }, text: `The feature ${name} is ${enabled ? 'on' : 'off'}.` }
      })
    },
    atServer:
      ({ args: [name] }) =>
      async (client) => {
        const data = await client.operator.setFeature(name, enabled)
        return { data, text: `The feature ${data.name} is ${data.enabled ? 'on' : 'off'}.` }
      },
  })
}

/** Models that the operator declared can be switched like the others. */
function featuresOf(config: Config): string[] {
  return featureNames([...videoModels, ...parseEngineSetup(config.engineFile).models].map(({ id }) => id))
}

export const switchCommands: Command[] = [
  maintenance,
  list,
  switchFeature('enable', 'Switch a feature on'),
  switchFeature('disable', 'Switch a feature off: requests that need it are refused with 505'),
]
