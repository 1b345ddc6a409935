// Every stream, socket, process, server and connection that the source makes or gets has a listener for its errors: an
// error event that nobody listens to ends the process, with the work of all accounts.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { unheardEmitters } from './emitters.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))

test('every emitter of the source has a listener for its errors', () => {
  const files = globSync('src/**/*.ts', { cwd: root }).filter((file) => !file.includes('/kernel/assembly/'))
  assert.ok(files.length > 300, `only ${files.length} files were read`)
  const unheard = files.flatMap((file) =>
    unheardEmitters(readFileSync(root + file, 'utf8')).map((problem) => `${file}, ${problem}`),
  )
  assert.deepEqual(unheard, [])
})

describe('the check of error listeners', () => {
  const fs = `import { createReadStream, createWriteStream } from 'node:fs'\n`

  for (const [what, text] of Object.entries({
    'a stream that is read': `${fs}for await (const chunk of createReadStream(path)) use(chunk)`,
    'a stream that is passed on': `${fs}send(createReadStream(path))`,
    'a stream that is returned': `${fs}const open = () => createReadStream(path)`,
    'a stream of a file handle': 'const stream = file.createReadStream({})\nstream.resume()',
    'a stream that is piped': `${fs}const stream = createReadStream(path)\nstream.pipe(createWriteStream(other))`,
    'a stream whose first error alone is heard': `${fs}const s = createReadStream(path)\ns.once('error', fail)`,
    'a process': `import { spawn } from 'node:child_process'\nspawn('ls').unref()`,
    'a fork': `import { fork } from 'node:child_process'\nconst child = fork(path)\nchild.on('exit', end)`,
    'a worker': `import { Worker } from 'node:worker_threads'\nconst worker = new Worker(path)`,
    'a pool': `import pg from 'pg'\nconst pool = new pg.Pool({})\npool.on('connect', ({ id }) => id)`,
    'a socket': `import { connect } from 'node:net'\nconst socket = connect(80)\nsocket.end()`,
    'a request under another name': `import { request as send } from 'node:http'\nsend(url).end()`,
    'a log': `import { pino } from 'pino'\nconst log = pino({}, pino.destination(2))`,
    'a file of a form': `form.on('file', (name, stream) => {\n  if (name !== 'file') return void stream.resume()\n})`,
    'a client of a pool': `pool.on('connect', (client) => clients.add(client))`,
  })) {
    test(`finds ${what}`, () => assert.notDeepEqual(unheardEmitters(text), []))
  }

  for (const [what, text] of Object.entries({
    'a pipeline': `${fs}await pipeline(createReadStream(path), createWriteStream(other))`,
    'the helper': `${fs}const open = () => withErrorListener(createReadStream(path))`,
    'a listener by name': `${fs}const stream: ReadStream = createReadStream(path)\nstream.on('error', fail)`,
    'a listener at once': `import { connect } from 'node:net'\nconst socket = connect(80).on('error', fail)`,
    'a listener of a body': `import { request } from 'undici'\nconst a = await request(url)\na.body.on('error', fail)`,
    'a file of a form': `form.on('file', (name, stream) => {\n  withErrorListener(stream)\n  stream.resume()\n})`,
    'functions of the same name': `import { connect } from './own.ts'\nconnect(80)`,
  })) {
    test(`accepts ${what}`, () => assert.deepEqual(unheardEmitters(text), []))
  }
})
