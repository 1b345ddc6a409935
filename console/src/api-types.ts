// What the API returns, as the views read it: the shapes of the client's contract, and two that are read more closely.
import type { ModelInfo as ClientModelInfo, SubKey, Timeline } from '../../client/src/contract.ts'
import type { JsonSchema } from './json-schema.ts'

export type * from '../../client/src/contract.ts'
export { countedJobsMax, listedStates, taskStates } from '../../client/src/contract.ts'
export type { TaskProgress } from '../../client/src/tasks/pace.ts'
export type { Page, Pages } from '../../client/src/transport/pages.ts'

export type KeyScope = NonNullable<SubKey['scopes']>[number]
export type TimelineMove = Timeline['items'][number]

export interface ModelInfo extends ClientModelInfo {
  inputSchema: JsonSchema & Record<string, unknown>
}

/** Put together by a form, so of any shape until it is checked. */
export interface CreateTaskBody {
  model: string
  input: Record<string, unknown>
  callBackUrl?: string
}
