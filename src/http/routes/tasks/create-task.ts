// POST /api/v1/jobs/createTask
import type { FastifyReply } from 'fastify'
import { creditsFor } from '../../../accounts/accounts.ts'
import type { Principal } from '../../../accounts/keys/authenticate.ts'
import type { Admission } from '../../../admission/admission.ts'
import type { Credits } from '../../../admission/decision.ts'
import { createdTask } from '../../../contract/tasks/tasks.ts'
import type { Db } from '../../../db/db.ts'
import { type Catalogue, parseCreateTask } from '../../../models/catalogue.ts'
import { findTask } from '../../../tasks/store/read.ts'
import type { NewTask, SubmitTask } from '../../../tasks/submit.ts'
import type { AfterResponse } from '../../../webhooks/after-response.ts'
import { type Route, route } from '../../route.ts'
import { addCreationHeaders, readCreation } from '../../server/creation.ts'

export interface CreateTaskDeps {
  catalogue: Catalogue
  admission: Admission
  submitTask: SubmitTask
  afterResponse: Pick<AfterResponse, 'begin'>
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
      const { accepted, idempotency } = readCreation(caller, request, parseCreateTask(deps.catalogue, request.body))
      return submitAnnounced(deps, caller, reply, { ...accepted, idempotency })
    },
  })
}

/** A callback is never sent before the response that announced its task. */
export async function submitAnnounced(
  { submitTask, afterResponse }: CreateTaskDeps,
  caller: Principal,
  reply: FastifyReply,
  task: NewTask,
): Promise<{ taskId: string }> {
  const announced = task.callBackUrl === null ? null : afterResponse.begin(reply.raw)
  const { id, credits } = await submitTask(caller, task)
  addCreationHeaders(reply, credits, task.ignoredFields)
  announced?.announces(id)
  return { taskId: id }
}

/** The credits that the first request for the task `id` held, and what is left now. */
export async function creditsOfRepeat(db: Db, caller: Principal, id: string): Promise<Credits> {
  const [task, left] = await Promise.all([findTask(db, id), creditsFor(db, caller)])
  return { held: task?.price ?? 0, left }
}
