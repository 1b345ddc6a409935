// The code that the console offers to copy: run as it is against a real service, it sends what the form says, whatever
// the prompt holds, waits, and saves the video; its verifiers use the libraries as they are meant to be used.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import sharp from 'sharp'
import { Webhook } from 'standardwebhooks'
import { verifierCode } from '../../console/src/callbacks/verifier-code.ts'
import { type Language, requestCode } from '../../console/src/playground/request/request-code.ts'
import { installClient, run } from '../client/support/install-client.ts'
import { startService, type TestService, testKey } from '../support/service/service.ts'

let service: TestService
let folder: string

before(async () => {
  service = await startService()
  folder = await mkdtemp(join(tmpdir(), 'dailies-code-'))
  await installClient(folder)
})
after(async () => {
  await service?.stop()
  if (folder) await rm(folder, { recursive: true, force: true })
})

describe('a request as code makes the video', () => {
  const programs: [Language, string, string][] = [
    ['TypeScript', process.execPath, 'make.ts'],
    ['Python', 'python3', 'make.py'],
    ['curl', 'bash', 'make.sh'],
  ]
  for (const [language, program, file] of programs) {
    test(language, async () => {
      const png = await sharp({ create: { width: 64, height: 48, channels: 3, background: '#c63' } })
        .png()
        .toBuffer()
      const base64Data = png.toString('base64')
      const uploaded = await service.api.post('/api/v1/files/upload', { base64Data, fileName: 'a.png' })
      const prompt = `it's "quoted" \`ticks\` $HOME \${x} \\ back\nnew line, 猫 and </script> by ${language} script: wait 50ms`
      const body = {
        model: 'videomodel/v2-5-turbo-image-to-video-pro',
        input: { prompt, image_url: uploaded.body.data.downloadUrl, cfg_scale: 0.5 },
      }
      await writeFile(join(folder, file), requestCode(language, service.url, body))
      const env = { ...process.env, DAILIES_KEY: testKey }
      await run(program, [file], { cwd: folder, env })
      const [task] = (await service.api.get('/api/v1/jobs/list?limit=1')).body.data.items
      assert.deepEqual(JSON.parse(task.param), body)
      assert.match(await readFile(join(folder, 'video.mp4'), 'latin1'), /^.{4}ftyp/s)
      await rm(join(folder, 'video.mp4'))
    })
  }
})

describe('a verifier', () => {
  const secret = `whsec_${Buffer.from('a secret of twenty-four!').toString('base64')}`
  const payload = JSON.stringify({ code: 200, msg: 'success', data: { taskId: '猫' } })
  const headersOf = (at: Date, text = payload) => ({
    'webhook-id': 'msg_1',
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': `v1,AAAA ${new Webhook(secret).sign('msg_1', at, text)}`,
  })

  test('in TypeScript takes what is ours and nothing else', async () => {
    const file = join(folder, 'verify.mts')
    await writeFile(file, verifierCode.TypeScript)
    const { receive } = await import(file)
    process.env.WEBHOOK_SECRET = secret
    const bytes = Buffer.from(payload)
    assert.equal((await receive(headersOf(new Date()), bytes)).data.taskId, '猫')
    await assert.rejects(receive(headersOf(new Date(), 'other'), bytes))
    await assert.rejects(receive(headersOf(new Date(Date.now() - 600_000)), bytes))
  })

  test('in Python hands secret, headers and bytes to the library', () => {
    const script = `import sys, types
class Webhook:
    def __init__(self, secret): self.secret = secret
    def verify(self, body, headers): return [self.secret, body, headers]
sys.modules["standardwebhooks"] = types.SimpleNamespace(Webhook=Webhook)
${verifierCode.Python}
print(receive("s", {"webhook-id": "1"}, b"body"))`
    const printed = execFileSync('python3', ['-c', script], { encoding: 'utf8' })
    assert.equal(printed.trim(), "['s', b'body', {'webhook-id': '1'}]")
  })
})
