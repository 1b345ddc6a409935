// The code that the console offers to copy: run as it stands, it sends what the form says, whatever the prompt holds,
// and its verifiers take true signatures and refuse false ones.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { verifierCode } from '../../console/src/callbacks/verifier-code.ts'
import { requestCode } from '../../console/src/playground/request-code.ts'

const body = {
  model: 'videomodel/v2-5-turbo-image-to-video-pro',
  input: {
    prompt: `it's "quoted" \`ticks\` $HOME \${x} \\ back\nnew line, 猫 and </script>`,
    image_url: 'https://example.com/a.png',
    audio: true,
    elements: [],
    multi_prompt: [{ prompt: "the dog's", duration: 2.5 }],
    end_time: null,
  },
}
const url = 'http://127.0.0.1:8080'

const hasPython = (() => {
  try {
    execFileSync('python3', ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
})()

describe('a request as code', () => {
  test('in the shell sends the body as it is', () => {
    const script = `curl() { for last; do :; done; printf %s "$last"; }\n${requestCode('curl', url, body)}`
    assert.deepEqual(JSON.parse(execFileSync('sh', ['-c', script], { encoding: 'utf8' })), body)
  })

  test('in TypeScript sends the body as it is', async () => {
    const AsyncFunction = (async () => {}).constructor as new (
      ...args: string[]
    ) => (...args: unknown[]) => Promise<void>
    const sent: { url: string; init: { body: string; headers: Record<string, string> } }[] = []
    const fetch = async (to: string, init: (typeof sent)[0]['init']) => {
      sent.push({ url: to, init })
      return { json: async () => ({ data: { taskId: 't' } }) }
    }
    const run = new AsyncFunction('fetch', 'process', 'console', requestCode('TypeScript', url, body))
    await run(fetch, { env: { DAILIES_API_KEY: 'k' } }, { log() {} })
    assert.equal(sent[0]!.url, `${url}/api/v1/jobs/createTask`)
    assert.equal(sent[0]!.init.headers.authorization, 'Bearer k')
    assert.deepEqual(JSON.parse(sent[0]!.init.body), body)
  })

  test('in Python sends the body as it is', { skip: !hasPython && 'there is no python3' }, () => {
    const fake = `import sys, types, json, os
os.environ["DAILIES_API_KEY"] = "k"
class Answer:
    def json(self): return {"data": {"taskId": "t"}}
def post(url, headers, json=None):
    sys.stdout.write(globals()["json"].dumps({"url": url, "headers": headers, "body": json}) + "\\n")
    return Answer()
sys.modules["requests"] = types.SimpleNamespace(post=post)
`
    const printed = execFileSync('python3', ['-c', fake + requestCode('Python', url, body)], { encoding: 'utf8' })
    const sent = JSON.parse(printed.split('\n')[0]!)
    assert.deepEqual(sent.body, body)
    assert.deepEqual(sent.headers, { Authorization: 'Bearer k' })
  })
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
    const folder = await mkdtemp(join(tmpdir(), 'dailies-verifier-'))
    try {
      const file = join(folder, 'verify.mts')
      await writeFile(file, verifierCode.TypeScript)
      const { verify } = await import(file)
      assert.equal(verify(secret, headersOf(new Date()), payload).data.taskId, '猫')
      assert.throws(() => verify(secret, headersOf(new Date(), 'other'), payload), /wrong signature/)
      assert.throws(() => verify(secret, headersOf(new Date(Date.now() - 600_000)), payload), /too old/)
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  })

  test('in Python takes what is ours and nothing else', { skip: !hasPython && 'there is no python3' }, () => {
    const run = (headers: object, text: string) => {
      const call = `
import sys
given = json.loads(sys.argv[1])
try:
    print(verify(given["secret"], given["headers"], given["body"].encode())["code"])
except ValueError as problem:
    print(problem)`
      const argument = JSON.stringify({ secret, headers, body: text })
      return execFileSync('python3', ['-c', verifierCode.Python + call, argument], { encoding: 'utf8' }).trim()
    }
    assert.equal(run(headersOf(new Date()), payload), '200')
    assert.equal(run(headersOf(new Date(), 'other'), payload), 'wrong signature')
    assert.equal(run(headersOf(new Date(Date.now() - 600_000)), payload), 'too old')
  })
})
