// POST /api/v1/jobs/createTask

import { invalid } from '../../../contract/errors.ts'
import { createdTask } from '../../../contract/tasks.ts'
import type { Catalogue } from '../../../models/catalogue.ts'
import { parseCreateTask } from '../../../models/catalogue.ts'
import { featuresOf } from '../../../models/features.ts'
import type { VideoOrder } from '../../../models/model.ts'
import { type Prices, priceOf } from '../../../models/prices.ts'
import type { Admission } from '../../../tasks/admission/admit.ts'
import type { EngineChoice } from '../../../tasks/admission/engine-choice.ts'
import type { AnswerGate } from '../../server/answer-gate.ts'
import { answerWithinMs } from '../../server/answer-gate.ts'
import { readIdempotencyKey } from '../../server/idempotency-key.ts'
import { type Route, route } from '../../server/route.ts'

export interface CreateTaskDeps {
  catalogue: Catalogue
  admission: Admission
  prices: Prices
  /** Which engine takes an order, or why none does. */
  engineFor(model: string, order: VideoOrder): EngineChoice
  answerGate: AnswerGate
}

export function createTaskRoute(deps: CreateTaskDeps): Route {
  return route({
    method: 'POST',
    path: '/api/v1/jobs/createTask',
    docs: {
      operationId: 'createTask',
      summary: 'Create a video generation task',
      description:
        'Returns a task id at once; generation runs in the background. With an `Idempotency-Key` header, a repeated request returns the first task id again.',
      tag: 'Tasks',
    },
    access: 'key',
    createsWork: true,
    idempotent: true,
    bodyDocs: deps.catalogue.createTaskSchema,
    answer: createdTask,
    codes: [402, 408, 455, 505],
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
        ...deps.engineFor(parsed.modelId, parsed.order),
        param: JSON.stringify(request.body),
        videoOrder: JSON.stringify(parsed.order),
        ignoredFields: parsed.ignoredFields,
        callBackUrl: parsed.callBackUrl,
        price: priceOf(parsed.order, deps.catalogue.get(parsed.modelId)!, deps.prices),
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
