// The pool of child processes when one of them does not start, or takes long to start.
import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { createChildPool } from '../../src/children/child-pool.ts'
import { everyone } from '../../src/limits/slots.ts'

/** The first process that loads it ends at once; the others return what they get. */
const program = (folder: string) => `
import { mkdirSync } from 'node:fs'
import { serveJobs } from ${JSON.stringify(new URL('../../src/children/serve-jobs.ts', import.meta.url).href)}
try {
  mkdirSync(${JSON.stringify(join(folder, 'first'))})
} catch {
  serveJobs(async (job) => job)
}
`

test('processes that were started beside one that failed are used', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'dailies-pool-'))
  const path = join(folder, 'child.mjs')
  await writeFile(path, program(folder))
  const slots = 3
  const limits = { rssBytesMax: 500_000_000, heapMegabytesMax: 128, jobMsMax: 10_000 }
  const pool = createChildPool<number, number>({ name: 'echo', module: pathToFileURL(path), slots, ...limits })
  try {
    await assert.rejects(pool.warm(), /the echo process did not start/)
    assert.equal(pool.pids().length, slots - 1)
    const jobs = Array.from({ length: slots }, (_, i) => i)
    assert.deepEqual(await Promise.all(jobs.map((job) => pool.run(job, { caller: everyone }))), jobs)
    assert.equal(pool.pids().length, slots)
  } finally {
    await pool.close()
    await rm(folder, { recursive: true, force: true })
  }
})

test('a job that waits for its process to start sends heartbeats', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'dailies-pool-'))
  const path = join(folder, 'child.mjs')
  const go = join(folder, 'go')
  await writeFile(
    path,
    `
import { existsSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { serveJobs } from ${JSON.stringify(new URL('../../src/children/serve-jobs.ts', import.meta.url).href)}
while (!existsSync(${JSON.stringify(go)})) await setTimeout(20)
serveJobs(async (job) => job)
`,
  )
  const limits = { rssBytesMax: 500_000_000, heapMegabytesMax: 128, jobMsMax: 10_000 }
  const pool = createChildPool<number, number>({ name: 'echo', module: pathToFileURL(path), slots: 1, ...limits })
  t.mock.timers.enable({ apis: ['setInterval'] })
  try {
    const reported: number[] = []
    const result = pool.run(7, { caller: everyone, progress: (percent) => reported.push(percent) })
    // By now it has a slot, and its process starts.
    await setImmediate()
    t.mock.timers.tick(10_000)
    assert.deepEqual(reported, [0, 0])
    await writeFile(go, '')
    assert.equal(await result, 7)
    t.mock.timers.tick(10_000)
    assert.equal(reported.length, 2)
  } finally {
    await pool.close()
    await rm(folder, { recursive: true, force: true })
  }
})
