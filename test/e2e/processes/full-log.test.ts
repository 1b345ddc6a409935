// A log that cannot be written, such as on a full disk, must not end the service.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { open } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { places } from '../../support/places/places.ts'
import { createApi } from '../../support/service/api.ts'
import { testKey } from '../../support/service/service.ts'

const program = fileURLToPath(new URL('../../support/service/main.ts', import.meta.url))

test('a service whose log is on a full disk goes on', { skip: process.platform !== 'linux' }, async () => {
  const place = await places[0].create()
  const full = await open('/dev/full', 'w')
  const settings = { DAILIES_PORT: '0', DAILIES_API_KEY: testKey, DAILIES_LOG_LEVEL: 'debug', TEST_ENGINE: 'scripted' }
  const child = spawn(process.execPath, [program, 'serve', '--work'], {
    env: { ...process.env, ...place.env, ...settings },
    stdio: ['ignore', 'pipe', full.fd],
  })
  const exited = once(child, 'exit')
  try {
    const { promise, resolve, reject } = Promise.withResolvers<string>()
    exited.then(([code]) => reject(new Error(`the service ended with ${code}`)))
    createInterface(child.stdout!).on('line', (line) => {
      const address = /listens on (\S+)/.exec(line)?.[1]
      if (address) resolve(address)
    })
    const api = createApi(await promise, testKey)
    const taskId = await api.createTask()
    await api.until(taskId, ['success'])
    // Each is logged; what cannot be written must not pile up either.
    for (let i = 0; i < 20; i++) assert.equal((await api.get('/api/v1/account/credit')).status, 200)
  } finally {
    child.kill('SIGTERM')
    await exited
    await full.close()
    await place.stop()
  }
})
