// The systemd unit: accepted by systemd as it is, and hardened as SECURITY.md says.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { promisify } from 'node:util'
import { stopWithinMs } from '../../src/cli/server/serve.ts'
import { loadConfig } from '../../src/config.ts'

const run = promisify(execFile)
const analyze = '/usr/bin/systemd-analyze'
const source = new URL('../../deploy/dailies.service', import.meta.url)

describe('deploy/dailies.service', { skip: existsSync(analyze) ? false : 'systemd is not installed' }, () => {
  let folder: string
  let unit: string

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'systemd-'))
    unit = join(folder, 'dailies.service')
    // The program must exist on the machine that verifies the unit.
    const text = await readFile(source, 'utf8')
    await writeFile(unit, text.replaceAll('/opt/dailies/node_modules/.bin/node', process.execPath))
  })
  after(() => rm(folder, { recursive: true, force: true }))

  test('is valid', async () => {
    const { stdout, stderr } = await run(analyze, ['verify', unit])
    assert.equal(stdout + stderr, '')
  })

  test('gives the service time to end by itself', async () => {
    const seconds = Number(/^TimeoutStopSec=(\d+)$/m.exec(await readFile(source, 'utf8'))?.[1])
    assert.ok(seconds * 1000 > stopWithinMs(loadConfig({}).stopGraceMs) + 2000, `${seconds}`)
  })

  test('has little exposure, as SECURITY.md says', async () => {
    const { stdout } = await run(analyze, ['security', '--offline=true', '--no-pager', unit])
    const exposure = /Overall exposure level for dailies\.service: ([\d.]+)/.exec(stdout)?.[1]
    // Releases of systemd weigh a few points differently.
    assert.ok(Number(exposure) < 2, `${exposure}`)
  })
})
