// A service that is killed while a generator works for it: one submission there, one video here, one charge.
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, test } from 'node:test'
import { peerSubjects } from '../contracts/engine-subjects.ts'
import { configured, engineFile, uploadImage } from '../support/chain.ts'
import { startProcess } from '../support/process.ts'
import { untilTrue } from '../support/until.ts'

function handleOf(dataDir: string, taskId: string): unknown {
  const db = new DatabaseSync(join(dataDir, 'dailies.sqlite'), { readOnly: true })
  try {
    return db.prepare('select handle from tasks where id = ?').get(taskId)?.handle ?? null
  } finally {
    db.close()
  }
}

describe('killed between submission and result', { timeout: 240_000 }, () => {
  for (const { name, startPeer, settings, idempotent } of peerSubjects) {
    test(`${name}: one submission, one result`, async () => {
      const peer = await startPeer()
      const config = await configured(engineFile({ ...settings, url: peer.url }))
      const dataDir = await mkdtemp(join(tmpdir(), 'dailies-kill-'))
      const env = { ...config.env, DAILIES_DATA: dataDir }
      let service = await startProcess(env)
      try {
        const image_url = await uploadImage(service)
        const credit = async () => (await service.api.get('/api/v1/account/credit')).body.data
        const before = await credit()
        const taskId = await service.api.createTask('a boat', { image_url })
        await untilTrue('the peer has the job', () => peer.submissions() === 1, 20_000)
        // Where the peer cannot be asked to take a submission only once, it must be noted before the kill.
        await untilTrue('the job is noted', () => idempotent || handleOf(dataDir, taskId) !== null)
        await service.kill('SIGKILL')
        service = await startProcess(env)
        await service.api.until(taskId, ['generating'], 20_000)
        peer.set('finish')
        const record = await service.api.until(taskId, ['success', 'fail'], 60_000)
        assert.equal(record.state, 'success', JSON.stringify(record))
        assert.equal(peer.submissions(), 1)
        assert.equal(await credit(), before - 42)
      } finally {
        await service.kill('SIGKILL')
        await peer.close()
        await config.remove()
        await rm(dataDir, { recursive: true, force: true })
      }
    })
  }
})
