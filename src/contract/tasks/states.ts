// The states of a task, in the order in which a task goes through them.
import { z } from 'zod'

export const taskStates = ['wait', 'queueing', 'generating', 'success', 'fail'] as const

export type TaskState = (typeof taskStates)[number]

/** What lists can be narrowed to: a canceled task is a failed one, with a reason of its own. */
export const listedStates = [...taskStates, 'canceled'] as const

export type ListedState = (typeof listedStates)[number]

export const taskState = z.enum(taskStates).meta({
  id: 'TaskState',
  description:
    '`wait`: accepted, input files are being fetched and checked. `queueing`: waiting for a slot. `generating`: an ' +
    'engine works on it. `success` and `fail` are final.',
})

export function isFinal(state: TaskState): boolean {
  return state === 'success' || state === 'fail'
}
