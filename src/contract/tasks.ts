// Requests about tasks that need no model, and their answers. The body that creates a task depends on its model, so it
// is declared with the models (models/catalogue.ts); what is read about a task is contract/task-records.ts.
import { z } from 'zod'
import { lookupText, pageOf, pageQuery } from './page.ts'
import { taskRecord } from './task-records.ts'
import { taskState, taskStates } from './task-states.ts'

const taskId = lookupText.meta({ description: 'The id that creation returned.' })

export const taskIdQuery = z.object({ taskId })
export const cancelTaskBody = z.object({ taskId })

export const createdTask = z
  .object({ taskId: z.string().meta({ description: 'Unique identifier of the task.' }) })
  .meta({ id: 'CreatedTask' })

export const canceledTask = z.object({ taskId: z.string(), state: z.literal('fail') }).meta({ id: 'CanceledTask' })

export const deletedTask = z.object({ taskId: z.string() }).meta({ id: 'DeletedTask' })

export const listTasksQuery = z.object({
  ...pageQuery,
  state: z.enum(taskStates).optional().meta({ description: taskState.description }),
  model: lookupText.optional(),
})

export const taskPage = pageOf(taskRecord)
