// POST /api/v1/jobs/createTask
import { z } from 'zod'
import type { Catalogue } from '../../models/catalogue.ts'
import { parseCreateTask } from '../../models/catalogue.ts'
import { featuresOf } from '../../models/features.ts'
import { type Prices, priceOf } from '../../models/prices.ts'
import { invalid } from '../../platform/errors.ts'
import type { Admission } from '../../tasks/admit.ts'
import type { AnswerGate } from '../answer-gate.ts'
import { answerWithinMs } from '../answer-gate.ts'
import { readIdempotencyKey } from '../idempotency-key.ts'
import { type Route, route } from '../route.ts'

export const taskIdAnswer = z.object({ taskId: z.string().meta({ description: 'Unique identifier of the task.' }) })

export interface CreateTaskDeps {
  catalogue: Catalogue
  admission: Admission
  prices: Prices
  /** Which engine serves a model. */
  engineFor(model: string): string
  answerGate: AnswerGate
}

export function createTaskRoute(deps: CreateTaskDeps): Route {
  return route({
    method: 'POST',
    path: '/api/v1/jobs/createTask',
    summary: 'Create a video generation task',
    description:
      'Answers with a task id at once; generation runs in the background. An `Idempotency-Key` header makes a repeat answer the first task id again.',
    tag: 'Tasks',
    access: 'key',
    createsWork: true,
    idempotent: true,
    bodyDocs: deps.catalogue.createTaskSchema,
    answer: taskIdAnswer,
    codes: [402, 455, 505],
    async handler({ caller, request, reply }) {
      const idempotencyKey = readIdempotencyKey(request)
      const parsed = parseCreateTask(deps.catalogue, request.body)
      if (!parsed.ok || !idempotencyKey.ok) {
        throw invalid([...(parsed.ok ? [] : parsed.problems), ...(idempotencyKey.ok ? [] : idempotencyKey.problems)])
      }
      const announced = deps.answerGate.begin(reply)
      const taskId = await deps.admission.submit({
        accountId: caller.accountId,
        keyId: caller.keyId,
        parentId: null,
        model: parsed.modelId,
        engine: deps.engineFor(parsed.modelId),
        param: JSON.stringify(request.body),
        videoOrder: JSON.stringify(parsed.order),
        ignoredFields: parsed.ignoredFields,
        callBackUrl: parsed.callBackUrl,
        price: priceOf(parsed.order, parsed.modelId, deps.prices),
        features: featuresOf(parsed.order, parsed.modelId),
        idempotency: idempotencyKey.value,
        // A callback is never sent before the answer that it belongs to.
        ...(parsed.callBackUrl === null ? {} : { waitForAnswerMs: answerWithinMs }),
      })
      if (parsed.callBackUrl !== null) announced.releases(taskId)
      return { taskId }
    },
  })
}
