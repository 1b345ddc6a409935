// compose.yaml names only services, volumes, variables, settings and commands that exist.
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { parse } from 'yaml'
import { commandGroups } from '../../src/cli/commands.ts'
import { stopWithinMs } from '../../src/cli/server/serve.ts'
import { loadConfig } from '../../src/config.ts'
import { parseDuration } from '../../src/platform/durations.ts'
import { settings } from '../../src/settings/settings.ts'

interface Service {
  image?: string
  build?: string
  command?: string[]
  depends_on?: string[] | Record<string, { condition: string }>
  environment?: Record<string, string>
  healthcheck?: unknown
  stop_grace_period?: string
  volumes?: string[]
}

interface Compose {
  services: Record<string, Service>
  volumes: Record<string, unknown>
}

const source = await readFile(new URL('../../compose.yaml', import.meta.url), 'utf8')
// Strict: a key that appears twice is an error.
const compose = parse(source, { merge: true }) as Compose
const services = Object.entries(compose.services)
const ours = services.filter(([, { build }]) => build !== undefined)

test('every service has an image, and starts after services that exist and can satisfy the condition', () => {
  for (const [name, { image, build, depends_on: dependsOn = {} }] of services) {
    assert.ok((image ?? build) !== undefined, name)
    const conditions = Array.isArray(dependsOn) ? dependsOn.map((other) => [other, null]) : Object.entries(dependsOn)
    for (const [other, wait] of conditions as [string, { condition: string } | null][]) {
      assert.ok(compose.services[other], `${name} depends on ${other}`)
      if (wait?.condition === 'service_healthy') assert.ok(compose.services[other].healthcheck, other)
    }
  }
})

test('every volume is declared', () => {
  assert.ok(services.some(([, { volumes = [] }]) => volumes.length > 0))
  for (const [name, { volumes = [] }] of services) {
    for (const volume of volumes) assert.ok(volume.split(':')[0]! in compose.volumes, `${name}: ${volume}`)
  }
})

test('every variable has a default or is named in the instructions', () => {
  const instructions = source.slice(0, source.indexOf('x-dailies:'))
  const variables = [...source.matchAll(/\$\{(\w+)(:-)?/g)]
  assert.ok(variables.length > 3)
  for (const [, name, fallback] of variables) assert.ok(fallback || instructions.includes(name!), name!)
})

test('our services have time to end by themselves', () => {
  for (const [name, { stop_grace_period: grace }] of ours) {
    assert.ok(parseDuration(grace!)! > stopWithinMs(loadConfig({}).stopGraceMs) + 2000, `${name}: ${grace}`)
  }
})

test('our services run commands that exist, with settings that exist', async () => {
  const names = Object.values(settings).map((each) => each.name)
  const commands = commandGroups.flatMap((group) => group.commands.map(({ name }) => name))
  assert.equal(ours.length, 4)
  for (const [name, { command, environment }] of ours) {
    assert.ok(commands.includes(command![0]!), `${name}: ${command}`)
    for (const setting of Object.keys(environment!).filter((key) => key.startsWith('DAILIES_'))) {
      assert.ok(names.includes(setting), setting)
    }
  }
})
