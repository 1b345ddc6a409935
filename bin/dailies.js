#!/usr/bin/env node
// Starts the command line on the Node that npm installed with the project, when the one at hand is too old for it.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { constants } from 'node:os'
import { fileURLToPath } from 'node:url'

const main = fileURLToPath(new URL('../src/main.ts', import.meta.url))
const ownNode = fileURLToPath(new URL('../node_modules/.bin/node', import.meta.url))

if (process.env.npm_command === 'exec') stopWithParent()
if (Number(process.versions.node.split('.')[0]) >= 24) {
  await import(main)
} else if (existsSync(ownNode)) {
  runOnOwnNode()
} else {
  console.error('dailies needs Node 24 or newer; run npm ci first, which installs one')
  process.exitCode = 1
}

function runOnOwnNode() {
  const child = spawn(ownNode, [main, ...process.argv.slice(2)], { stdio: 'inherit' })
  for (const signal of ['SIGTERM', 'SIGHUP', 'SIGINT']) {
    process.on(signal, () => {
      // Ctrl-C at a terminal reaches both of us already; a second one would cut the child's orderly stop short.
      if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal)
    })
  }
  child.on('exit', (code, signal) => {
    process.exitCode = signal ? 128 + constants.signals[signal] : code
  })
}

/** npx runs us below a shell, which takes a signal for itself and would leave a server behind without a parent. */
function stopWithParent() {
  const parent = process.ppid
  const timer = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(timer)
    process.kill(process.pid, 'SIGTERM')
  }, 500)
  timer.unref()
}
