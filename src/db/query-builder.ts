// Kysely over the database port, for reads whose shape is only known at run time (filters, pages). Hot paths and
// writes are hand-written SQL on the port itself.
import {
  type CompiledQuery,
  type DatabaseConnection,
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'
import type { Param, Sql } from './db.ts'

export interface Tables {
  accounts: { id: string; name: string; balance: number; open_tasks: number; created_at: number }
  ledger: LedgerRow
  tasks: TaskRow
}

export interface LedgerRow {
  id: string
  account_id: string
  key_id: string | null
  task_id: string | null
  kind: 'grant' | 'hold' | 'settle' | 'release' | 'charge'
  amount: number
  balance_after: number
  created_at: number
}

export type TaskState = 'wait' | 'queueing' | 'generating' | 'success' | 'fail'

export interface TaskRow {
  id: string
  account_id: string
  key_id: string
  parent_id: string | null
  model: string
  engine: string
  state: TaskState
  param: string
  video_order: string
  ignored_fields: string
  call_back_url: string | null
  /** Asked for by createTask or through the inference endpoint: decides how its end is told. */
  via: 'task' | 'inference'
  price: number
  virtual_start: number
  virtual_finish: number
  progress: number
  attempt: number
  plan: string | null
  handle: string | null
  video: string | null
  fail_code: string | null
  fail_reason: string | null
  fail_msg: string | null
  created_at: number
  updated_at: number
  state_at: number
  completed_at: number | null
  expires_at: number | null
}

export function queryBuilder(sql: Sql): Kysely<Tables> {
  const connection: DatabaseConnection = {
    executeQuery: async <Row>(query: CompiledQuery) => ({
      rows: await sql.all<Row>(query.sql, query.parameters as readonly Param[]),
    }),
    streamQuery: () => {
      throw new Error('streaming is not supported')
    },
  }
  const sqlite = sql.dialect === 'sqlite'
  return new Kysely<Tables>({
    dialect: {
      createAdapter: () => (sqlite ? new SqliteAdapter() : new PostgresAdapter()),
      createDriver: () =>
        new (class extends DummyDriver {
          override acquireConnection = async () => connection
        })(),
      createIntrospector: (db) => (sqlite ? new SqliteIntrospector(db) : new PostgresIntrospector(db)),
      createQueryCompiler: () => (sqlite ? new SqliteQueryCompiler() : new PostgresQueryCompiler()),
    },
  })
}
