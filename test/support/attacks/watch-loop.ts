// Loaded into a service's process before the program: measures the turns of its event loop, and reports on SIGUSR2.
// A turn counts by the processor time of this thread, so that a busy machine does not make it longer.
import { writeSync } from 'node:fs'

// Children of the service are not watched.
delete process.env.NODE_OPTIONS

const cpuMs = () => {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

let longestTurnMs = 0
let last = cpuMs()
setInterval(() => {
  const now = cpuMs()
  longestTurnMs = Math.max(longestTurnMs, now - last)
  last = now
}, 1).unref()

process.on('SIGUSR2', () => {
  const reported = longestTurnMs
  globalThis.gc!()
  longestTurnMs = 0
  last = cpuMs()
  const { rss, heapUsed, external } = process.memoryUsage()
  const report = { longestTurnMs: reported, megabytes: rss / 1e6, usedMegabytes: (heapUsed + external) / 1e6 }
  writeSync(1, `loop report ${JSON.stringify(report)}\n`)
})
