// Two cells behind one address: services of their own, each on a database of its own, and nginx with deploy/nginx-cells.conf
// in front. Everything of both is reached through the one address, and neither takes what belongs to the other.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import pg from 'pg'
import { type Dispatcher, request } from 'undici'
import { createAgent, shippedNginx, startNginx } from '../../support/network/nginx.ts'
import { createTestDatabase, freePort } from '../../support/places/postgres.ts'
import { taskBody } from '../../support/service/api.ts'
import { cliJson, startProcess } from '../../support/service/process.ts'
import { untilTrue } from '../../support/until.ts'

interface Cell {
  name: string
  /** Its own address. */
  url: string
  env: Record<string, string>
  operatorKey: string
  /** Of an account of this cell. */
  key: string
}

interface Call {
  key?: string
  headers?: Record<string, string>
  body?: unknown
}

/** What one client made in a cell. */
interface Made {
  taskId: string
  fileUrl: string
  shareUrl: string
  cookie: string
}

describe('two cells behind one address', () => {
  const agent = createAgent()
  const cleanUp: (() => Promise<unknown>)[] = []
  const cells: Cell[] = []
  const made = new Map<Cell, Made>()
  let url: string

  before(async () => {
    const folder = await mkdtemp(join(tmpdir(), 'dailies-cells-'))
    cleanUp.push(() => rm(folder, { recursive: true, force: true }))
    const port = await freePort()
    url = `https://127.0.0.1:${port}`
    for (const name of ['a', 'b']) cells.push(await startCell(name, folder))
    const maps = (await shippedNginx('nginx-cells.conf', { port, folder }))
      .replace('server 10.0.1.2:8080', `server ${new URL(cells[0]!.url).host}`)
      .replace('server 10.0.2.2:8080', `server ${new URL(cells[1]!.url).host}`)
    const site = (await shippedNginx('nginx.conf', { port, folder }))
      .replace(/^upstream dailies \{[^}]*\}$/m, '')
      .replace('proxy_pass http://dailies;', 'proxy_pass http://$cell;')
    cleanUp.push(await startNginx(`${maps} ${site}`, { url, folder }))
  })
  after(async () => {
    for (const undo of cleanUp.toReversed()) await undo()
    await agent.close()
  })

  async function startCell(name: string, folder: string): Promise<Cell> {
    const database = await createTestDatabase()
    cleanUp.push(database.stop)
    const operatorKey = `operator-of-cell-${name}`
    const env = {
      DAILIES_CELL: name,
      DAILIES_DATABASE_URL: database.url,
      DAILIES_DATA: join(folder, name),
      DAILIES_PUBLIC_URL: url,
      DAILIES_API_KEY: operatorKey,
      DAILIES_TRUST_PROXY: '127.0.0.1/32',
    }
    const own = String(await freePort())
    const service = await startProcess({ ...env, DAILIES_PORT: own })
    cleanUp.push(() => service.kill('SIGKILL'))
    const { key } = await cliJson(['accounts', 'create', 'studio', '--credits', '1000'], env)
    return { name, url: `http://127.0.0.1:${own}`, env, operatorKey, key }
  }

  async function call(at: string, method: Dispatcher.HttpMethod, path: string, { key, headers, body }: Call = {}) {
    const response = await request(new URL(path, at), {
      method,
      dispatcher: agent,
      headers: {
        ...(key ? { authorization: `Bearer ${key}` } : {}),
        ...(body ? { 'content-type': 'application/json' } : {}),
        ...headers,
      },
      body: body ? JSON.stringify(body) : null,
    })
    const bytes = Buffer.from(await response.body.arrayBuffer())
    const text = bytes.toString()
    const { data, msg } = text.startsWith('{') ? JSON.parse(text) : {}
    return { status: response.statusCode, bytes, text, data, msg, cookie: String(response.headers['set-cookie'] ?? '') }
  }

  const page = { 'x-dailies-console': '1' }
  const signedIn = (cookie: string) => ({ headers: { ...page, cookie } })

  for (const index of [0, 1]) {
    test(`a key of cell ${index + 1} makes and reads everything through the one address`, async () => {
      const cell = cells[index]!
      const { key, name } = cell
      assert.match(key, new RegExp(`^dk_${name}_\\w{38}$`))
      const created = await call(url, 'POST', '/api/v1/jobs/createTask', { key, body: taskBody(`a boat in ${name}`) })
      assert.equal(created.status, 200, created.text)
      const { taskId } = created.data
      const record = async () => (await call(url, 'GET', `/api/v1/jobs/recordInfo?taskId=${taskId}`, { key })).data
      await untilTrue('the video is made', async () => (await record()).state === 'success')
      const fileUrl: string = JSON.parse((await record()).resultJson).resultUrls[0]
      assert.ok(fileUrl.startsWith(`${url}/files/${name}-`), fileUrl)
      const video = await call(url, 'GET', fileUrl)
      assert.equal(video.status, 200)
      assert.ok(video.bytes.length > 1000)

      const shared = await call(url, 'POST', `/api/v1/jobs/${taskId}/shares`, { key, body: {} })
      assert.equal(shared.status, 200, shared.text)
      const shareUrl = shared.data.url as string
      assert.ok(shareUrl.startsWith(`${url}/s/${name}-`), shareUrl)
      assert.equal((await call(url, 'GET', shareUrl)).status, 200)
      assert.deepEqual((await call(url, 'GET', `${shareUrl}/video`)).bytes, video.bytes)

      // As the console does: the header leads to the cell.
      const session = await call(url, 'POST', '/console/session', { key, headers: page, body: { key } })
      assert.equal(session.status, 200, session.text)
      const cookie = session.cookie.split(';')[0]!
      assert.ok(cookie.startsWith(`__Host-dailies_session=${name}-`), cookie)
      assert.equal((await call(url, 'GET', '/api/v1/account/credit', signedIn(cookie))).data, 1000 - 42)
      assert.equal((await call(url, 'GET', '/console/session', signedIn(cookie))).data.signedIn, true)
      made.set(cell, { taskId, fileUrl, shareUrl, cookie })
    })
  }

  test('a cell refuses what belongs to the other', async () => {
    for (const [index, cell] of cells.entries()) {
      const other = cells[1 - index]!
      const { fileUrl, shareUrl, cookie } = made.get(cell)!
      const { status, msg } = await call(other.url, 'GET', '/api/v1/account/credit', { key: cell.key })
      assert.deepEqual(
        [status, msg],
        [401, unknownKey(await call(other.url, 'GET', '/api/v1/account/credit', { key: 'x' }))],
      )
      const signIn = await call(other.url, 'POST', '/console/session', { headers: page, body: { key: cell.key } })
      assert.equal(signIn.status, 401)
      const overTls = { ...page, cookie, 'x-forwarded-proto': 'https' }
      assert.equal((await call(other.url, 'GET', '/api/v1/account/credit', { headers: overTls })).status, 401)
      for (const link of [fileUrl, shareUrl]) {
        const path = new URL(link).pathname
        assert.equal((await call(cell.url, 'GET', path)).status, 200)
        assert.equal((await call(other.url, 'GET', path)).status, 404)
      }
    }
  })

  test('a cell whose database began as a copy refuses the keys of the other nevertheless', async () => {
    const [a, b] = cells
    const client = new pg.Client({ connectionString: b!.env.DAILIES_DATABASE_URL! })
    await client.connect()
    const hash = (key: string) => createHash('sha256').update(key).digest('hex')
    await client
      .query(`update keys set hash = $1 where hash = $2`, [hash(a!.key), hash(b!.key)])
      .finally(() => client.end())
    assert.equal((await call(b!.url, 'GET', '/api/v1/account/credit', { key: a!.key })).status, 401)
    assert.equal((await call(url, 'GET', '/api/v1/account/credit', { key: a!.key })).status, 200)
  })

  test('a key that an operator chose works at the address of its cell, and what names no cell goes to the first', async () => {
    const [a, b] = cells
    for (const { url: own, operatorKey } of cells) {
      assert.equal((await call(own, 'GET', '/api/v1/account/credit', { key: operatorKey })).status, 200)
    }
    assert.equal((await call(url, 'GET', '/api/v1/account/credit', { key: a!.operatorKey })).status, 200)
    assert.equal((await call(url, 'GET', '/api/v1/account/credit', { key: b!.operatorKey })).status, 401)
    assert.equal((await call(url, 'GET', '/openapi.json')).status, 200)
    for (const key of ['dk_c_7Hq2mV9xT4cLw8nZb3KpR6sYd1FgJ5a0e41c9d', 'dk_test_7Hq2mV9xT4cLw8nZb3KpR6sYd1FgJ5a0e']) {
      assert.equal((await call(url, 'GET', '/api/v1/account/credit', { key })).status, 401)
    }
  })

  test('a new secret of a key names its cell', async () => {
    const [a] = cells
    const { items } = await cliJson(['keys', 'list', '--account', 'studio'], a!.env)
    assert.equal(items[0].hint, `${a!.key.slice(0, 9)}…`)
    const { key } = await cliJson(['keys', 'rotate', items[0].id], a!.env)
    assert.match(key, /^dk_a_/)
    assert.equal((await call(url, 'GET', '/api/v1/account/credit', { key })).status, 200)
  })
})

/** The refusal of a key that nobody has. */
function unknownKey({ status, msg }: { status: number; msg: string }): string {
  assert.equal(status, 401)
  return msg
}
