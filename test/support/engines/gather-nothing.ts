// For engines that look at no material: a plan without fetching anything.
import type { VideoRequest } from '../../../src/models/model.ts'
import { planOf } from '../../../src/tasks/prepare/gather.ts'
import type { Gather } from '../../../src/tasks/prepare/prepare.ts'

export const gatherNothing: Gather = async (task) =>
  planOf(task.model, JSON.parse(task.video_order) as VideoRequest, () => ({ file: 'none', kind: 'image' }))
