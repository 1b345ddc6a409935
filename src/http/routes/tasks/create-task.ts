// POST /api/v1/jobs/createTask
import type { FastifyReply } from 'fastify'
import type { Principal } from '../../../accounts/keys/authenticate.ts'
import type { Admission } from '../../../admission/admission.ts'
import { createdTask } from '../../../contract/tasks/tasks.ts'
import { type Catalogue, parseCreateTask } from '../../../models/catalogue.ts'
import type { SubmitTask, TaskSubmission } from '../../../tasks/admission/submit-task.ts'
import { type AnswerGate, answerWithinMs } from '../../responses/answer-gate.ts'
import { type Route, route } from '../../route.ts'
import { readCreation } from '../../server/idempotency-key.ts'

export interface CreateTaskDeps {
  catalogue: Catalogue
  admission: Admission
  submitTask: SubmitTask
  answerGate: AnswerGate
}

export function createTaskRoute(deps: CreateTaskDeps): Route {
  return route({
    endpoint: 'POST /api/v1/jobs/createTask',
    operationId: 'createTask',
    summary: 'Create a video generation task',
    description:
      'Returns a task id at once; generation runs in the background. With an `Idempotency-Key` header, a repeated request returns the first task id again.',
    tag: 'Tasks',
    access: 'key',
    scope: 'tasks:write',
    createsWork: true,
    idempotent: true,
    bodyDocs: deps.catalogue.createTaskSchema,
    answer: createdTask,
    codes: [402, 408, 505],
    async handler({ caller, request, reply }) {
      const { accepted, idempotency } = readCreation(request, parseCreateTask(deps.catalogue, request.body))
      return submitAnnounced(deps, caller, reply, { ...accepted, idempotency })
    },
  })
}

/** A callback is never sent before the response that announced its task. */
export async function submitAnnounced(
  { submitTask, answerGate }: CreateTaskDeps,
  caller: Principal,
  reply: FastifyReply,
  submission: TaskSubmission,
): Promise<{ taskId: string }> {
  if (submission.callBackUrl === null) return { taskId: await submitTask(caller, submission) }
  const announced = answerGate.begin(reply)
  const taskId = await submitTask(caller, { ...submission, waitForAnswerMs: answerWithinMs })
  announced.releases(taskId)
  return { taskId }
}
