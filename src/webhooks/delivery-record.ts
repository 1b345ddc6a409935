// A delivery as its owner sees it. Pure.
import type { ListedDelivery } from './deliveries.ts'

export interface DeliveryRecord {
  id: string
  kind: 'task' | 'inference'
  taskId: string
  url: string
  state: ListedDelivery['state']
  tries: number
  nextTryTime: number | null
  createTime: number
  endTime: number | null
  attempts: {
    time: number
    durationMs: number
    status: number | null
    error: string | null
    answer: string | null
  }[]
}

export function deliveryRecord(delivery: ListedDelivery, showAnswers: boolean): DeliveryRecord {
  return {
    id: delivery.id,
    kind: delivery.kind,
    taskId: delivery.subject,
    url: delivery.url,
    state: delivery.state,
    tries: delivery.tries,
    nextTryTime: delivery.next_at,
    createTime: delivery.created_at,
    endTime: delivery.ended_at,
    attempts: delivery.attempts.map((attempt) => ({
      time: attempt.at,
      durationMs: attempt.duration_ms,
      status: attempt.status,
      error: attempt.error,
      answer: showAnswers ? attempt.answer : null,
    })),
  }
}
