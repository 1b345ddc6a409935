// Detects a connection pooler between us and PostgreSQL, and its mode. Prepared statements and LISTEN belong to one
// server connection, and a pooler in transaction mode may switch that between two transactions.
import pg from 'pg'
import { withErrorListener } from '../../platform/errors.ts'

type Pooling = 'none' | 'session' | 'transaction'

const rounds = 3
const replyWithinMs = 2_000

/** Briefly opens two connections and compares the server processes that serve them. */
export async function detectPooling(url: string): Promise<Pooling> {
  const open = () =>
    withErrorListener(
      new pg.Client({ connectionString: url, connectionTimeoutMillis: 5000, query_timeout: replyWithinMs }),
    )
  const [watched, other] = [open(), open()]
  try {
    await watched.connect()
    // A pooler reports a process id that it made up.
    if ((await serverProcess(watched)) === (watched as unknown as { processID: number }).processID) return 'none'
    await other.connect()
    return (await changesServer(watched, other)) ? 'transaction' : 'session'
  } finally {
    await Promise.all([watched, other].map((client) => client.end().catch(() => {})))
  }
}

async function serverProcess(client: pg.Client): Promise<number> {
  const { rows } = await client.query('select pg_backend_pid() as pid')
  return rows[0].pid
}

/** In transaction mode, another client's open transaction takes the server connection that was just released. */
async function changesServer(watched: pg.Client, other: pg.Client): Promise<boolean> {
  for (let round = 0; round < rounds; round++) {
    const before = await serverProcess(watched)
    try {
      await other.query('begin')
    } catch {
      return false // The pool has one connection and the watched client keeps it.
    }
    try {
      if ((await serverProcess(watched)) !== before) return true
    } catch {
      return true // The pool has one connection and the other client's transaction keeps it.
    }
    await other.query('rollback')
  }
  return false
}
