// Tells who is interested that a task's record changed. It carries no record: a reader reads the newest one, so a slow
// reader skips what it missed instead of falling behind.

export interface TaskEvents {
  changed(taskId: string): void
  subscribe(taskId: string, listener: () => void): () => void
}

export function createTaskEvents(): TaskEvents {
  const listeners = new Map<string, Set<() => void>>()
  return {
    changed(taskId) {
      for (const listener of listeners.get(taskId) ?? []) listener()
    },
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
