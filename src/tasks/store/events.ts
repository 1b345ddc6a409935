// Tells who is interested that a task's record changed. It carries no record: a reader reads the newest one, so a slow
// reader skips what it missed instead of falling behind. News travel with the database, to every process on it.
import type { Db } from '../../db/db.ts'

export interface TaskEvents {
  /** Called once the change is durable. */
  changed(taskId: string): void
  subscribe(taskId: string, listener: () => void): () => void
  close(): void
}

export function createTaskEvents(db: Pick<Db, 'announce' | 'onChange'>): TaskEvents {
  const listeners = new Map<string, Set<() => void>>()
  const close = db.onChange((topic, subjects) => {
    if (topic !== 'tasks' && topic !== null) return
    for (const taskId of subjects ?? [...listeners.keys()]) {
      for (const listener of listeners.get(taskId) ?? []) listener()
    }
  })
  return {
    changed: (taskId) => db.announce('tasks', taskId),
    close,
    subscribe(taskId, listener) {
      const own = listeners.get(taskId) ?? new Set()
      listeners.set(taskId, own.add(listener))
      return () => {
        own.delete(listener)
        if (own.size === 0 && listeners.get(taskId) === own) listeners.delete(taskId)
      }
    },
  }
}
