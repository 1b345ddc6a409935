// A delivery as its owner sees it: in a list, or with everything that was sent and received. Pure.
import type { Delivery, InspectedDelivery } from '../contract/deliveries.ts'
import type { DeliveryAttemptRow, DeliveryRow } from './deliveries.ts'
import type { ListedDelivery } from './read-deliveries.ts'

export function deliveryRecord(delivery: ListedDelivery, showAnswers: boolean): Delivery {
  return {
    id: delivery.id,
    kind: delivery.is_test ? 'test' : delivery.kind,
    taskId: delivery.subject,
    url: delivery.callback_url,
    state: delivery.state,
    tries: delivery.attempts,
    nextTryTime: delivery.next_at,
    createTime: delivery.created_at,
    endTime: delivery.ended_at,
    attempts: delivery.attemptRows.map((attempt) => ({
      time: attempt.started_at,
      durationMs: attempt.duration_ms,
      status: attempt.status,
      error: attempt.error,
      answer: showAnswers ? attempt.response : null,
    })),
  }
}

export function inspectedDeliveryRecord(
  delivery: DeliveryRow & { attemptRows: DeliveryAttemptRow[] },
  showAnswers: boolean,
): InspectedDelivery {
  const { attempts, ...fields } = deliveryRecord(delivery, showAnswers)
  return {
    ...fields,
    body: delivery.body,
    attempts: attempts.map((attempt, index) => {
      const { request_headers, response_headers } = delivery.attemptRows[index]!
      return {
        ...attempt,
        requestHeaders: request_headers === null ? null : JSON.parse(request_headers),
        responseHeaders: response_headers === null || !showAnswers ? null : JSON.parse(response_headers),
      }
    }),
  }
}
