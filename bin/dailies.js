#!/usr/bin/env node
// Starts the command line on the Node that npm installed with the project, when the one at hand is too old for it.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const main = fileURLToPath(new URL('../src/main.ts', import.meta.url))
const ownNode = fileURLToPath(new URL('../node_modules/.bin/node', import.meta.url))

if (Number(process.versions.node.split('.')[0]) >= 24) {
  await import(main)
} else if (existsSync(ownNode)) {
  const { status, signal } = spawnSync(ownNode, [main, ...process.argv.slice(2)], { stdio: 'inherit' })
  process.exitCode = signal ? 1 : status
} else {
  console.error('dailies needs Node 24 or newer; run npm ci first, which brings one along')
  process.exitCode = 1
}
