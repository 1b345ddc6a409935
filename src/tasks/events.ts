// Notifies subscribers that a task's record changed. The event carries no record: a subscriber reads the newest one, so
// a slow subscriber skips changes instead of falling behind. The database passes events on to every process.
import type { Db } from '../db/db.ts'

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
