// A delivery as its owner sees it. Pure.
import type { Delivery } from '../contract/deliveries.ts'
import type { ListedDelivery } from './deliveries.ts'

export function deliveryRecord(delivery: ListedDelivery, showAnswers: boolean): Delivery {
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
