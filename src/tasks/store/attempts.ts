// What earlier attempts at a task came to, read from its timeline: which engines failed it, and how often none could be
// reached. So nothing has to be kept beside the timeline.
import type { Sql } from '../../db/db.ts'

export interface Attempts {
  /** The engine of each attempt that failed, in order. */
  failedOn: string[]
  /** Attempts that reached no engine at all. */
  unreached: number
}

const failedEnding = ' failed; tried again'
const unreachedEnding = ' could not be reached; tried again'

export const failedNote = (engine: string) => `the engine ${engine}${failedEnding}`
export const unreachedNote = (engine: string) => `the engine ${engine}${unreachedEnding}`

export async function readAttempts(sql: Sql, taskId: string): Promise<Attempts> {
  const moves = await sql.all<{ note: string }>(
    `select note from task_moves where task_id = ? and state = 'queueing' and note is not null order by id`,
    [taskId],
  )
  const failedOn = moves.flatMap(({ note }) => {
    const engine = /^the engine (\S+) failed; tried again$/.exec(note)?.[1]
    return engine === undefined ? [] : [engine]
  })
  return { failedOn, unreached: moves.filter(({ note }) => note.endsWith(unreachedEnding)).length }
}
