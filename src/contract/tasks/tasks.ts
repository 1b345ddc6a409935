// Requests about tasks that need no model, and their responses. The body that creates a task depends on its model, so it
// is declared with the models (models/catalogue.ts); what is read about a task is contract/tasks/records.ts.
import { z } from 'zod'
import { epochMs, optionalText, requiredText } from '../../schema/wire-types.ts'
import { example } from '../example-values.ts'
import { widestLimits } from '../limits.ts'
import { lookupText, pageOf, pageQuery, timeParam } from '../page.ts'
import { taskRecord } from './records.ts'
import { listedStates, taskState } from './states.ts'

const taskId = lookupText.meta({ description: 'The id that creation returned.', examples: [example.taskId] })

export const taskIdQuery = z.object({ taskId })
export const cancelTaskBody = z.object({ taskId })

export const createdTask = z
  .object({ taskId: z.string().meta({ description: 'Unique identifier of the task.', examples: [example.taskId] }) })
  .meta({ id: 'CreatedTask' })

const ofTask = { taskId: z.string().meta({ examples: [example.taskId] }) }

export const canceledTask = z.object({ ...ofTask, state: z.literal('fail') }).meta({ id: 'CanceledTask' })

export const deletedTask = z.object(ofTask).meta({ id: 'DeletedTask' })

export const listTasksQuery = z.object({
  ...pageQuery,
  state: z
    .enum(listedStates)
    .optional()
    .meta({ description: `${taskState.description} \`canceled\`: only those of \`fail\` that were canceled.` }),
  model: lookupText.optional(),
  q: lookupText.optional().meta({
    description:
      "A part of the prompt or of a shot's; upper and lower case are the same. Or the task's id, or its last 8 or more characters.",
  }),
  key: lookupText.optional().meta({ description: 'Only tasks of this key, by its id.' }),
  since: timeParam.optional().meta({ description: 'Created at this time or later, in epoch milliseconds.' }),
  until: timeParam.optional().meta({ description: 'Created before this time, in epoch milliseconds.' }),
})

export const taskPage = pageOf(taskRecord)

/** `models`: the ids that `model` may be. */
export const explainPromptBody = (models: readonly string[]) =>
  z.object({
    prompt: requiredText(widestLimits.promptCharacters).meta({ examples: ['Slow push in, heavy rain'] }),
    negative_prompt: optionalText(widestLimits.negativePromptCharacters),
    model: z.enum(models as [string, ...string[]]).nullish(),
  })

/** Share links: pages that play the video of a task to anyone who has the link. */
export const shareDefaultMs = 7 * 86_400_000
export const sharesPerTaskMax = 20

export const newShare = z
  .object({
    expiresAt: epochMs().nullish().meta({
      description:
        'When the link stops working, in epoch milliseconds; 7 days from now if omitted, and never later than the video.',
    }),
  })
  .nullish()
  .meta({ id: 'NewShare', examples: [{ expiresAt: example.nextDayMs }] })

const exampleShare = {
  id: '0199a3c6-4444-7000-8e5d-2b3c4d5e6f70',
  createdAt: example.createdMs,
  expiresAt: example.nextWeekMs,
}

const share = {
  id: z.string().meta({ description: 'Names the link to revoke it; not part of its address.' }),
  createdAt: epochMs(),
  expiresAt: epochMs(),
}

export const listedShare = z.object(share).meta({ id: 'Share', examples: [exampleShare] })

export const madeShare = z
  .object({ ...share, url: z.string().meta({ description: 'The address of the page. Shown only once.' }) })
  .meta({
    id: 'MadeShare',
    examples: [{ ...exampleShare, url: 'https://videos.example.com/s/5mKq2rV8cXw1nB7tYz0aLd3fGh4' }],
  })

export const shareList = z.object({ items: z.array(listedShare) })
export const shareId = z.object({ id: z.string().meta({ examples: [exampleShare.id] }) })

export type Share = z.output<typeof listedShare>
export type MadeShare = z.output<typeof madeShare>
