// Fetches one input file and looks at it; anything that is wrong with the file becomes an InputFailure. Failures of the
// service (a full disk, an abort) pass through as they are.
import { rm } from 'node:fs/promises'
import type { OnBehalfOf } from '../children/child-pool.ts'
import { FetchFailure } from '../outbound/fetch-failure.ts'
import type { GuardedFetch } from '../outbound/guarded-fetch.ts'
import { InputFailure, megabytes, type PassingFault } from './input-failure.ts'
import { bytesMaxOf, type InputInspector, type InputUse, type Inspected } from './inspect-input.ts'

const nouns: Record<InputUse['kind'], string> = {
  frame: 'image',
  element: "element's image or video",
  element_audio: "element's audio",
}

/** Leaves the file at `toPath` when it can be used, and nothing when it cannot. */
export async function fetchInput(
  { fetch, inspectInput }: { fetch: Pick<GuardedFetch, 'download'> } & Pick<InputInspector, 'inspectInput'>,
  url: string,
  use: InputUse,
  toPath: string,
  request: OnBehalfOf,
): Promise<Inspected> {
  const { signal } = request
  try {
    await fetch.download(url, { toPath, bytesMax: bytesMaxOf(use), signal })
    const inspected = await inspectInput(toPath, use, request)
    signal?.throwIfAborted()
    return inspected
  } catch (error) {
    await rm(toPath, { force: true })
    throw error instanceof FetchFailure ? inputFailureOf(error, use) : error
  }
}

function inputFailureOf(failure: FetchFailure, use: InputUse): InputFailure {
  const noun = nouns[use.kind]
  if (failure.kind === 'too_large') {
    const limit = failure.bytesMax === null ? '' : `: more than ${megabytes(failure.bytesMax)} MB are not accepted`
    return new InputFailure('image_too_large', `The ${noun} is too large${limit}.`, { cause: failure })
  }
  const message = `The ${noun} could not be fetched: ${failure.message}.`
  const passing: PassingFault | null = failure.isPassing ? { of: 'fetch', retryAfterMs: failure.retryAfterMs } : null
  return new InputFailure('image_fetch_failed', message, { cause: failure, passing })
}
