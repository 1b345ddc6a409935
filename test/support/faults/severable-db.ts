// A database that can be cut off as by the kill of its process: what is committed stays, what is under way is rolled
// back, and callers that wait for a result never get one. For crashes inside the test's own process, between any two
// statements.
import type { Db, Param, Sql, Tx } from '../../../src/db/db.ts'

export interface SeverableDb {
  db: Db
  /** Cuts it off after so many more statements; a COMMIT counts as one. */
  severAfter(statements: number): void
  readonly severed: Promise<void>
  /** Cuts it off now; resolves when the last statement is through and the connections are closed. */
  sever(): Promise<void>
}

class SeveredError extends Error {}

const never = <T>() => new Promise<T>(() => {})

export function makeSeverable(real: Db): SeverableDb {
  let left = Number.POSITIVE_INFINITY
  let isSevered = false
  let tellSevered: () => void
  const severed = new Promise<void>((resolve) => {
    tellSevered = resolve
  })
  const underWay = new Set<Promise<unknown>>()

  function cut() {
    isSevered = true
    tellSevered()
  }

  /** Whether one more statement gets through. */
  function passes(): boolean {
    if (!isSevered && --left < 0) cut()
    return !isSevered
  }

  /** A result that arrives only while the process is alive. */
  async function alive<T>(work: () => Promise<T>): Promise<T> {
    if (!passes()) return never()
    const answer = work()
    underWay.add(answer)
    try {
      const value = await answer
      return isSevered ? never() : value
    } catch (error) {
      if (isSevered) return never()
      throw error
    } finally {
      underWay.delete(answer)
    }
  }

  async function orThrow<T>(work: () => Promise<T>): Promise<T> {
    if (!passes()) throw new SeveredError('cut off')
    return work()
  }

  const db: Db = {
    ...sqlThrough(real, alive),
    transaction: (work) =>
      alive(() =>
        real.transaction(async (tx) => {
          const guarded: Tx = {
            ...sqlThrough(tx, orThrow),
            announce: (topic, subject) => orThrow(() => tx.announce(topic, subject)),
            afterCommit: (hook) =>
              tx.afterCommit(() => {
                if (!isSevered) hook()
              }),
          }
          const value = await work(guarded)
          if (!passes()) throw new SeveredError('cut off before the commit')
          return value
        }),
      ),
    statement: (text, params) => alive(() => real.statement(text, params)),
    onChange: (listener) =>
      real.onChange((topic, subjects) => {
        if (!isSevered) listener(topic, subjects)
      }),
    announce: (topic, subject) => {
      if (!isSevered) real.announce(topic, subject)
    },
    close: () => real.close(),
  }

  return {
    db,
    severed,
    severAfter(statements) {
      left = statements
    },
    async sever() {
      cut()
      await Promise.allSettled(underWay)
      await real.close()
    },
  }
}

function sqlThrough(sql: Sql, through: <T>(work: () => Promise<T>) => Promise<T>): Sql {
  return {
    dialect: sql.dialect,
    cell: sql.cell,
    all: <Row>(text: string, params?: readonly Param[]) => through(() => sql.all<Row>(text, params)),
    one: <Row>(text: string, params?: readonly Param[]) => through(() => sql.one<Row>(text, params)),
    run: (text, params) => through(() => sql.run(text, params)),
    insert: (table, rows) => through(() => sql.insert(table, rows)),
  }
}
