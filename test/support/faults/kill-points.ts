// Loaded before a process's own code (`node --import`): lets a test kill the process at a named point between two of
// its steps. On SIGUSR2 it reads the point's name from TEST_KILL_POINT_FILE, and ends with SIGKILL when it reaches that
// point. The points are places among its statements to PostgreSQL, and one on the way to a receiver.
import diagnostics from 'node:diagnostics_channel'
import { readFileSync } from 'node:fs'
import pg from 'pg'

interface Point {
  statement: RegExp
  /** `commit sent`: before any process knows how the statement's transaction ended. */
  at: 'before' | 'after' | 'commit sent' | 'committed'
}

const points: Record<string, Point> = {
  'a task is committed and not answered': { statement: /^insert into idempotency/, at: 'committed' },
  "a task's commit is under way": { statement: /^insert into idempotency/, at: 'commit sent' },
  'a job is claimed': { statement: /^update jobs set worker = \$1, attempt = attempt \+ 1/, at: 'after' },
  'the input files are there, the plan is not': { statement: /^update tasks set plan = v_plan/, at: 'before' },
  "the engine's handle is stored": { statement: /^update tasks set handle = v_handle/, at: 'after' },
  'the video is stored, the end is not': { statement: /^update tasks set progress = 100/, at: 'before' },
  "the end's commit is under way": { statement: /^update tasks set progress = 100/, at: 'commit sent' },
  'the end is committed': { statement: /^update tasks set progress = 100/, at: 'committed' },
  'a callback is sent and not noted': { statement: /^insert into delivery_attempts/, at: 'before' },
}
const callbackPoint = 'a callback is being sent'

let armed = ''
process.on('SIGUSR2', () => {
  armed = readFileSync(process.env.TEST_KILL_POINT_FILE!, 'utf8')
  if (armed !== callbackPoint && !points[armed]) throw new Error(`there is no kill point "${armed}"`)
})

const die = () => process.kill(process.pid, 'SIGKILL')

// Each connection's transaction: what is to happen when it commits.
const atCommit = new WeakMap<pg.Client, Point['at']>()
const prototype = pg.Client.prototype as unknown as { query(...args: unknown[]): unknown }
const query = prototype.query

prototype.query = function (this: pg.Client, ...args: unknown[]): unknown {
  const text = textOf(args[0])
  if (text.startsWith('begin')) atCommit.delete(this)
  const point = points[armed]
  const isThere = point?.statement.test(text)
  if (isThere && point!.at === 'before') die()
  if (isThere) atCommit.set(this, point!.at)
  const ending = text === 'commit' ? atCommit.get(this) : undefined
  const dieAfter = (isThere && point!.at === 'after') || ending === 'committed'
  const answer = dieAfter ? queryThen(this, args, die) : query.apply(this, args)
  if (ending === 'commit sent') die()
  return answer
}

function textOf(config: unknown): string {
  return typeof config === 'string' ? config : String((config as { text?: string }).text ?? '')
}

/** A statement of a pool has a callback, others a promise. */
function queryThen(client: pg.Client, args: unknown[], then: () => void): unknown {
  const callback = args.at(-1)
  if (typeof callback !== 'function') {
    return (query.apply(client, args) as Promise<unknown>).then((result) => {
      then()
      return result
    })
  }
  const wrapped = (...answer: unknown[]) => {
    if (!answer[0]) then()
    return callback(...answer)
  }
  return query.apply(client, [...args.slice(0, -1), wrapped])
}

diagnostics.subscribe('undici:client:sendHeaders', (message) => {
  const { request } = message as { request: { method: string } }
  if (armed === callbackPoint && request.method === 'POST') die()
})
