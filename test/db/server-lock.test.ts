// A data folder has one server, also where the one before was killed.
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { runCli, startProcess } from '../support/service/process.ts'

test('a second server on a folder is refused in one line, and the first goes on', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'dailies-test-'))
  const first = await startProcess({ DAILIES_DATA: folder })
  const second = await runCli(['serve'], { DAILIES_DATA: folder, DAILIES_PORT: '0' })
  assert.notEqual(second.code, 0)
  const lines = second.stderr.trim().split('\n')
  assert.equal(lines.length, 1, second.stderr)
  assert.match(lines[0]!, /another server already runs on the data folder .*; stop it, or set DAILIES_DATA/)
  assert.equal((await first.api.get('/api/v1/account/credit')).status, 200)
  await first.kill('SIGKILL')
  // The kernel freed the lock, so the next one starts.
  const third = await startProcess({ DAILIES_DATA: folder })
  assert.equal((await third.api.get('/livez')).status, 200)
  await third.kill('SIGTERM')
  await rm(folder, { recursive: true, force: true })
})
