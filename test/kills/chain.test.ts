// Two services in a row as processes, either of them killed in the middle, or both: nothing is lost, and every video is
// ordered and paid for once at the service behind. The moments come from a seed. KILLS=100 runs the long form.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { seededRandom } from '../../src/video/random.ts'
import { places } from '../support/places/places.ts'
import type { Api } from '../support/service/api.ts'
import { uploadImage } from '../support/service/chain.ts'
import { configured, engineFile } from '../support/service/engine-file.ts'
import { type ServiceProcess, startProcess } from '../support/service/process.ts'
import { testKey } from '../support/service/service.ts'

const kills = Number(process.env.KILLS ?? 4)
const seed = Number(process.env.SEED ?? 20_262)
const tasksARound = 3
/** As long as a task takes: it is killed anywhere from its creation to its end. */
const killWithinMs = 1500
const credits = 1_000_000
const price = 42

test(`${kills} kills in a chain lose nothing and generate once`, { timeout: 60_000 + kills * 60_000 }, async (t) => {
  const random = seededRandom(seed)
  const upTo = (n: number) => Math.floor(random() * n)
  const opened = new AsyncDisposableStack()
  t.after(() => opened.disposeAsync())
  const frontPlace = opened.adopt(await places[0].create(), ({ stop }) => stop())
  const backPlace = opened.adopt(await places[0].create(), ({ stop }) => stop())
  // So that on PostgreSQL no task waits long for what killed processes have left.
  const quick = { TEST_LEASE: '3s', DAILIES_RENDER_SLOTS: '4' }

  let back = await startProcess({ ...backPlace.env, ...quick })
  opened.defer(async () => void (await back.kill('SIGKILL')))
  const backEnv = { ...backPlace.env, ...quick, DAILIES_PORT: new URL(back.url).port }
  const upstream = { type: 'upstream', url: back.url, key: testKey, slots: 4, pollEvery: '100ms' }
  const config = opened.adopt(await configured(engineFile(upstream)), ({ remove }) => remove())
  let front = await startProcess({ ...frontPlace.env, ...config.env, ...quick })
  opened.defer(async () => void (await front.kill('SIGKILL')))
  const frontEnv = { ...frontPlace.env, ...config.env, ...quick, DAILIES_PORT: new URL(front.url).port }

  const image_url = await uploadImage(front)
  const victims = { front: 0, back: 0 }
  for (let round = 0; round < kills; round++) {
    const create = () => front.api.createTask(`a boat script: progress 20, wait ${upTo(killWithinMs)}ms`, { image_url })
    const taskIds = await Promise.all(Array.from({ length: tasksARound }, create))
    await sleep(upTo(killWithinMs))
    const fate = upTo(3)
    if (fate !== 0) victims.front++
    if (fate !== 1) victims.back++
    await Promise.all([fate !== 0 && front.kill('SIGKILL'), fate !== 1 && back.kill('SIGKILL')])
    if (fate !== 1) back = await startProcess(backEnv)
    if (fate !== 0) front = await startProcess(frontEnv)
    for (const taskId of taskIds) {
      const record = await front.api.until(taskId, ['success', 'fail'], 60_000)
      assert.equal(record.state, 'success', `round ${round}, seed ${seed}: ${JSON.stringify(record)}`)
    }
  }

  const ordered = kills * tasksARound
  for (const service of [front, back]) {
    assert.deepEqual(await statesOf(service.api), Array(ordered).fill('success'))
    assert.equal(await creditOf(service), credits - ordered * price)
  }
  t.diagnostic(`seed ${seed}: ${ordered} tasks, killed ${JSON.stringify(victims)}`)
})

const creditOf = async ({ api }: ServiceProcess) => (await api.get('/api/v1/account/credit')).body.data

async function statesOf(api: Api): Promise<string[]> {
  const states: string[] = []
  for (let cursor = ''; ; ) {
    const { items, nextCursor } = (await api.get(`/api/v1/jobs/list?limit=100${cursor}`)).body.data
    states.push(...items.map(({ state }: { state: string }) => state))
    if (nextCursor === null) return states
    cursor = `&cursor=${nextCursor}`
  }
}
