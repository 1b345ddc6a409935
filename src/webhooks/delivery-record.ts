// A delivery as its owner sees it: in a list, or with everything that was sent and received. Pure.
import type { Delivery, InspectedDelivery } from '../contract/deliveries.ts'
import type { DeliveryAttemptRow, DeliveryRow } from './deliveries.ts'
import type { ListedDelivery } from './read-deliveries.ts'

export function deliveryRecord(delivery: ListedDelivery, showAnswers: boolean): Delivery {
  return {
    id: delivery.id,
    kind: delivery.is_test ? 'test' : delivery.kind,
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

export function inspectedDeliveryRecord(
  delivery: DeliveryRow & { attempts: DeliveryAttemptRow[] },
  showAnswers: boolean,
): InspectedDelivery {
  const { attempts, ...fields } = deliveryRecord(delivery, showAnswers)
  return {
    ...fields,
    body: delivery.body,
    attempts: attempts.map((attempt, index) => {
      const { request_headers, answer_headers } = delivery.attempts[index]!
      return {
        ...attempt,
        requestHeaders: request_headers === null ? null : JSON.parse(request_headers),
        responseHeaders: answer_headers === null || !showAnswers ? null : JSON.parse(answer_headers),
      }
    }),
  }
}
