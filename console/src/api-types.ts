// What the API answers, as the views read it: the client's own shapes, and two that are looked into more closely.

import type { OperatorStatus as ClientOperatorStatus } from '../../client/src/account/operator.ts'
import type { TaskState, Timeline } from '../../client/src/records.ts'
import type { ModelInfo as ClientModelInfo } from '../../client/src/tasks/model-info.ts'
import type { JsonSchema } from './json-schema.ts'

export type { LedgerEntry, Usage } from '../../client/src/account/account.ts'
export type { RequestLimit, SubKey } from '../../client/src/account/keys.ts'
export type { Account } from '../../client/src/account/operator.ts'
export type { Delivery, DeliveryState, SigningSecret } from '../../client/src/account/webhooks.ts'
export type { TaskRecord, TaskState, VideoRecord } from '../../client/src/records.ts'
export type { TaskProgress } from '../../client/src/tasks/pace.ts'
export type { Page } from '../../client/src/transport/pages.ts'

export const taskStates: readonly TaskState[] = ['wait', 'queueing', 'generating', 'success', 'fail']

export type TimelineMove = Timeline['items'][number]

export interface ModelInfo extends ClientModelInfo {
  inputSchema: JsonSchema & Record<string, unknown>
}

/** Further lists, such as workers and engines, are shown as they come. */
export type OperatorStatus = ClientOperatorStatus & { [more: string]: unknown }

/** Put together by a form, so of any shape until it is checked. */
export interface CreateTaskBody {
  model: string
  input: Record<string, unknown>
  callBackUrl?: string
}
