// POST /api/v1/prompts/explain: what the engine of a model would read from a prompt, without creating a task.
import { type Understood, understood } from '../../../contract/tasks/records.ts'
import { explainPromptBody } from '../../../contract/tasks/tasks.ts'
import type { Catalogue } from '../../../models/catalogue.ts'
import { unmatchedNames } from '../../../models/subject-names.ts'
import { textOrNull } from '../../../schema/wire-types.ts'
import { type Route, route } from '../../route.ts'

export interface ExplainDeps {
  catalogue: Catalogue
  explain(model: string, prompt: string, negativePrompt: string): Understood
}

export function explainPromptRoute({ catalogue, explain }: ExplainDeps): Route {
  const models = catalogue.ids()
  return route({
    endpoint: 'POST /api/v1/prompts/explain',
    operationId: 'explainPrompt',
    summary: 'Read what an engine understands of a prompt',
    description: 'Free, and creates nothing. Without `model`, the first model is used.',
    tag: 'Tasks',
    access: 'key',
    scope: 'tasks:read',
    sharesLoop: true,
    body: explainPromptBody(models),
    answer: understood,
    async handler({ body }) {
      const read = explain(body.model ?? models[0]!, body.prompt, textOrNull(body.negative_prompt) ?? '')
      // The elements of a request are not known here, only that some models take none.
      const takesElements = !body.model || Object.hasOwn(catalogue.get(body.model)!.inputSchema.shape, 'elements')
      return takesElements ? read : { ...read, notDone: [...read.notDone, ...unmatchedNames([body.prompt], [])] }
    },
  })
}
