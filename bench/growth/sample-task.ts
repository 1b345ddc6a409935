// One task that really ran to its end, with its callback delivered, and every row that it left behind.
import type { Db, Param } from '../../src/db/db.ts'
import { startReceiver } from '../../test/support/network/receiver.ts'
import { taskBody } from '../../test/support/service/api.ts'
import { untilDelivery } from '../../test/support/service/deliveries.ts'
import { startService } from '../../test/support/service/service.ts'

const dayMs = 86_400_000
const withinMs = 120_000
const prompt =
  'Slow push-in on a wooden sailing boat at anchor in a quiet bay at dawn; mist drifts over the water, gulls circle, ' +
  'the rigging sways a little in the wind, and warm light grows on the hull while ripples run towards the camera.'

export type Row = Record<string, Param>

export interface Sample {
  taskId: string
  accountId: string
  keyId: string
  createdAt: number
  /** Each table's rows, in an order in which they can be inserted. */
  left: { table: string; rows: Row[]; keptMs: number }[]
}

/** How records go: with the task, or earlier. */
export const recordKeptMs = 90 * dayMs
const tables = [
  { table: 'tasks', of: 'id = ?', keptMs: recordKeptMs },
  { table: 'ledger', of: 'subject = ?', keptMs: recordKeptMs },
  { table: 'task_attempts', of: 'task_id = ?', keptMs: recordKeptMs },
  { table: 'deliveries', of: 'subject = ?', keptMs: recordKeptMs },
  {
    table: 'delivery_attempts',
    of: 'delivery_id in (select id from deliveries where subject = ?)',
    keptMs: recordKeptMs,
  },
  { table: 'files', of: 'task_id = ?', keptMs: 14 * dayMs },
  { table: 'idempotency', of: 'subject = ?', keptMs: dayMs },
]

/** Starts the service on the database, has it make one video, and stops it. */
export async function makeSampleTask(env: Record<string, string>): Promise<string> {
  const receiver = await startReceiver()
  const service = await startService({ ...env, DAILIES_ALLOW_PRIVATE_NETWORK: '127.0.0.0/8' })
  try {
    const body = { ...taskBody(prompt), callBackUrl: `${receiver.origin}/callbacks/video-finished` }
    const answer = await service.api.post('/api/v1/jobs/createTask', body, { headers: { 'idempotency-key': 'sample' } })
    if (answer.status !== 200) throw new Error(answer.text)
    const { taskId } = answer.body.data
    await service.api.until(taskId, ['success'], withinMs)
    await untilDelivery(service.api, taskId, ['delivered'], withinMs)
    return taskId
  } finally {
    await service.stop()
    await receiver.close()
  }
}

export async function readSample(db: Db, taskId: string): Promise<Sample> {
  const left = []
  for (const { table, of, keptMs } of tables) {
    const rows = await db.all<Row>(`select * from ${table} where ${of}`, [taskId])
    if (rows.length === 0) throw new Error(`a finished task should have left something in ${table}`)
    left.push({ table, rows, keptMs })
  }
  const task = left[0]!.rows[0]!
  return {
    taskId,
    accountId: String(task.account_id),
    keyId: String(task.key_id),
    createdAt: Number(task.created_at),
    left,
  }
}
