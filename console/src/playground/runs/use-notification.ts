// A desktop notification when a task ends while the page is hidden, if the user has allowed it.
import { useEffect, useRef, useState } from 'preact/hooks'
import { promptOf } from '../../../../client/src/records.ts'
import type { TaskRecord } from '../../api-types.ts'
import { isFinal } from '../../hooks.ts'
import { failureOf } from '../../task-facts.ts'

export function useNotification(task: TaskRecord | null) {
  const supported = typeof Notification !== 'undefined'
  const [permission, setPermission] = useState(supported ? Notification.permission : 'denied')
  const wasOpen = useRef<string | null>(null)
  useEffect(() => {
    if (!task) return
    if (!isFinal(task)) {
      wasOpen.current = task.taskId
      return
    }
    if (wasOpen.current !== task.taskId) return
    wasOpen.current = null
    if (document.visibilityState === 'visible' || permission !== 'granted') return
    const title = task.state === 'success' ? 'The video is ready' : 'The video could not be made'
    new Notification(title, { body: task.state === 'success' ? promptOf(task) : failureOf(task), tag: task.taskId })
  }, [task, permission])
  return {
    canAsk: permission === 'default',
    ask: () => Notification.requestPermission().then(setPermission),
  }
}
