// For engines that read no input files: a plan without fetching anything.
import { planOf } from '../../../src/tasks/prepare/fetch-inputs.ts'
import type { FetchInputs } from '../../../src/tasks/prepare/prepare.ts'
import { requestOf } from '../../../src/tasks/store/task-row.ts'

export const fetchNothing: FetchInputs = async (task) =>
  planOf(task.model, requestOf(task), () => ({ file: 'none', kind: 'image' }))
