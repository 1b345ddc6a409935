// What the API returns, as the views read it: the shapes of the client's contract, and one that is read more closely.

export type {
  Account,
  AccountKey,
  AuditEntry,
  Delivery,
  DeliveryState,
  EngineHistory,
  InspectedDelivery,
  LedgerEntry,
  MadeShare,
  NewSubKey,
  OperatorStatus,
  OperatorTask,
  RequestLimit,
  Share,
  SigningSecret,
  SubKey,
  TaskRecord,
  TaskState,
  Understood,
  Usage,
  VideoRecord,
} from '../../client/src/contract.ts'

import type { ModelInfo as ClientModelInfo, Timeline } from '../../client/src/contract.ts'
import type { JsonSchema } from './json-schema.ts'

export { taskStates } from '../../client/src/contract.ts'
export type { TaskProgress } from '../../client/src/tasks/pace.ts'
export type { Page } from '../../client/src/transport/pages.ts'

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
