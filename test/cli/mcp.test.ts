// `dailies mcp` with the SDK's own client, over stdin and stdout and over streamable HTTP, on a real service.
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { get, type IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { after, before, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { jpeg } from '../support/files/image-files.ts'
import { variantA } from '../support/service/api.ts'
import { startService, type TestService, testKey } from '../support/service/service.ts'

type Transport = Parameters<Client['connect']>[0]
type Answer = Record<string, unknown>

const main = fileURLToPath(new URL('../../src/main.ts', import.meta.url))
const tools = [
  'cancel_video',
  'create_video',
  'explain_prompt',
  'follow_video',
  'get_video',
  'list_models',
  'upload_file',
]

describe('dailies mcp', { timeout: 120_000 }, () => {
  let service: TestService
  let folder: string
  let image: Buffer
  before(async () => {
    service = await startService()
    folder = await mkdtemp(join(tmpdir(), 'dailies-mcp-'))
    image = await jpeg(640, 360)
    await writeFile(join(folder, 'boat.jpg'), image)
  })
  after(async () => {
    await service?.stop()
    await rm(folder, { recursive: true, force: true })
  })

  async function connected(transport: unknown): Promise<Client> {
    const client = new Client({ name: 'test', version: '1' })
    await client.connect(transport as Transport)
    return client
  }

  async function call(client: Client, name: string, args: Answer, onprogress?: (done: { progress: number }) => void) {
    const answer = await client.callTool({ name, arguments: args }, undefined, onprogress ? { onprogress } : {})
    const [content] = answer.content as { text: string }[]
    return { isError: answer.isError === true, data: JSON.parse(content!.text) as Answer }
  }

  async function useAll(client: Client, upload: Answer): Promise<void> {
    const listed = await client.listTools()
    assert.deepEqual(listed.tools.map(({ name }) => name).sort(), tools)
    const { models } = (await call(client, 'list_models', {})).data as { models: { id: string }[] }
    assert.ok(models.some(({ id }) => id === variantA))
    const explained = await call(client, 'explain_prompt', { prompt: 'push in, rain' })
    assert.ok(Array.isArray(explained.data.moves), JSON.stringify(explained))
    const uploaded = await call(client, 'upload_file', upload)
    const input = { prompt: 'a boat script: progress 40, wait 700ms', image_url: uploaded.data.downloadUrl }
    const created = await call(client, 'create_video', { input })
    const { taskId } = created.data
    const seen: number[] = []
    const ended = await call(client, 'follow_video', { taskId }, ({ progress }) => seen.push(progress))
    assert.deepEqual([ended.data.state, ended.isError], ['success', false], JSON.stringify(ended))
    assert.ok((await fetch(String(ended.data.videoUrl))).ok)
    assert.ok(seen.includes(40), `progress: ${seen}`)
    const read = await call(client, 'get_video', { taskId })
    assert.deepEqual([read.data.taskId, read.data.progress], [taskId, 100])
    const stalled = await call(client, 'create_video', {
      model: variantA,
      input: { ...input, prompt: 'script: stall' },
    })
    const canceled = await call(client, 'cancel_video', { taskId: stalled.data.taskId })
    assert.equal(canceled.data.state, 'fail')
    const failed = await call(client, 'follow_video', { taskId: stalled.data.taskId })
    assert.deepEqual([failed.isError, failed.data.taskId], [true, stalled.data.taskId])
    const refused = await call(client, 'create_video', { input: { prompt: '' } })
    assert.deepEqual([refused.isError, refused.data.code], [true, 422])
  }

  test('over stdin and stdout', async () => {
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [main, 'mcp', '--url', service.url],
      stderr: 'inherit',
      env: { DAILIES_KEY: testKey, PATH: process.env.PATH! },
    })
    const client = await connected(transport)
    await useAll(client, { path: join(folder, 'boat.jpg') }).finally(() => client.close())
  })

  test('over HTTP, with the keys of the service', async () => {
    const child = spawn(process.execPath, [main, 'mcp', '--http', '--port', '0', '--url', service.url, '--json'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    try {
      const url = new URL(await firstUrl(child))
      const open = (key: string | null) =>
        connected(
          new StreamableHTTPClientTransport(
            url,
            key === null ? {} : { requestInit: { headers: { authorization: `Bearer ${key}` } } },
          ),
        )
      const client = await open(testKey)
      const base64 = `data:image/jpeg;base64,${image.toString('base64')}`
      await useAll(client, { base64, file_name: 'boat.jpg' }).finally(() => client.close())
      await assert.rejects(open('wrong-key'), /401|nauthorized|valid API key/)
      await assert.rejects(open(null), /401|nauthorized|valid API key/)
      const withPath = await open(testKey)
      const stolen = await call(withPath, 'upload_file', { path: join(folder, 'boat.jpg') })
      await withPath.close()
      assert.equal(stolen.isError, true)
      const headers = { authorization: `Bearer ${testKey}`, 'content-type': 'application/json' }
      const large = await fetch(url, { method: 'POST', headers, body: Buffer.alloc(16 * 2 ** 20, ' ') })
      assert.deepEqual([large.status, /too large/.test(await large.text())], [400, true])
      const odd = get({ host: url.hostname, port: url.port, path: '//' })
      const [answer] = (await once(odd, 'response')) as [IncomingMessage]
      answer.resume()
      assert.equal(answer.statusCode, 404)
    } finally {
      child.kill('SIGTERM')
      await once(child, 'exit')
    }
    assert.equal(child.exitCode, 0)
  })
})

async function firstUrl(child: ChildProcess): Promise<string> {
  const lines = createInterface({ input: child.stdout! })
  const [line] = (await once(lines, 'line')) as [string]
  return (JSON.parse(line) as { url: string }).url
}
