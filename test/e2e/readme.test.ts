// README followed literally: its blocks are taken from the file and run as they are, in a checkout whose service runs.
import assert from 'node:assert/strict'
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { run, tools } from '../client/support/install-client.ts'
import { startService, type TestService, testKey } from '../support/service/service.ts'

const project = fileURLToPath(new URL('../..', import.meta.url))

describe('README', () => {
  let service: TestService
  let checkout: string
  let blocks: { language: string; text: string }[]
  before(async () => {
    service = await startService()
    // A folder that looks like the checkout: what README names is there, what it makes does not stay.
    checkout = await mkdtemp(join(tmpdir(), 'dailies-readme-'))
    for (const name of ['docs', 'examples', 'bin', 'src', 'package.json']) {
      await symlink(join(project, name), join(checkout, name))
    }
    await mkdir(join(checkout, 'node_modules'))
    await symlink(join(project, 'client'), join(checkout, 'node_modules', 'dailies-client'))
    await run(join(tools, 'tsc'), ['-p', join(project, 'client', 'tsconfig.json')])
    const text = await readFile(join(project, 'README.md'), 'utf8')
    blocks = [...text.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)].map(([, language, body]) => ({
      language: language!,
      text: body!,
    }))
  })
  after(async () => {
    await service?.stop()
    if (checkout) await rm(checkout, { recursive: true, force: true })
  })

  const options = () => ({
    cwd: checkout,
    env: { ...process.env, DAILIES_URL: service.url, DAILIES_KEY: testKey },
  })
  const madeVideo = async () => {
    assert.match(await readFile(join(checkout, 'boat.mp4'), 'latin1'), /^.{4}ftyp/s)
    await rm(join(checkout, 'boat.mp4'))
  }

  test('its program makes a video', async () => {
    const { text } = blocks.find(({ language }) => language === 'js')!
    await writeFile(join(checkout, 'boat.mjs'), text)
    const { stdout } = await run('node', ['boat.mjs'], options())
    assert.match(stdout, /success 100 %/)
    await madeVideo()
  })

  test('its receiver receives a callback and verifies it', async () => {
    const receiver = blocks.filter(({ language }) => language === 'js')[1]!
    await writeFile(join(checkout, 'receiver.mjs'), receiver.text)
    const { stdout } = await run('node', ['receiver.mjs'], options())
    const verified = /^verified: (\S+) success (.+)$/m.exec(stdout)
    assert.ok(verified, stdout)
    const [, taskId, resultJson] = verified
    assert.equal((await service.api.record(taskId!)).resultJson, resultJson)
  })

  test('its commands in curl, Python and the command line make a video', async () => {
    const lines = blocks.filter(({ language }) => language === 'sh').flatMap(({ text }) => text.trim().split('\n'))
    const commands = lines.filter((line) => /^(bash|python3|npx dailies) /.test(line))
    assert.equal(commands.length, 3)
    for (const command of commands) {
      const own = command.replace(/^npx dailies/, `${process.execPath} ${join(project, 'bin', 'dailies.js')}`)
      await run('bash', ['-c', own], options())
      await madeVideo()
    }
  })
})
