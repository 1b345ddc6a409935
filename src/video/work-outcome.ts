// How the making of a video ended, as it crosses the process boundary: a video, or why its input files cannot be used.
// Any other failure is an error of the child.
import { describe } from '../children/serve-jobs.ts'
import { InputError } from './input-error.ts'
import type { Rendered } from './rendered.ts'

export type WorkOutcome = { rendered: Rendered } | { unusable: string }

export async function workOutcome(work: () => Promise<Rendered>): Promise<WorkOutcome> {
  try {
    return { rendered: await work() }
  } catch (error) {
    if (error instanceof InputError) return { unusable: describe(error) }
    throw error
  }
}
