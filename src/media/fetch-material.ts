// Fetches one piece of material and looks at it; whatever goes wrong with it becomes a MaterialFailure.
// Failures of our own (a full disk, a signal from the caller) pass through as they are.
import { rm } from 'node:fs/promises'
import { FetchFailure } from '../outbound/fetch-failure.ts'
import type { GuardedFetch } from '../outbound/guarded-fetch.ts'
import { megabytes } from './inspect-image.ts'
import { bytesMaxOf, type Inspected, type MaterialInspector, type MaterialUse } from './inspect-material.ts'
import { MaterialFailure } from './material-failure.ts'

const NOUNS: Record<MaterialUse['kind'], string> = {
  frame: 'image',
  element: "element's image or video",
  element_audio: "element's audio",
}

/** Leaves the file at `toPath` when it is good, and nothing when it is not. */
export async function fetchMaterial(
  { fetch, inspectMaterial }: { fetch: Pick<GuardedFetch, 'download'> } & MaterialInspector,
  url: string,
  use: MaterialUse,
  toPath: string,
  signal?: AbortSignal,
): Promise<Inspected> {
  try {
    await fetch.download(url, { toPath, bytesMax: bytesMaxOf(use), signal })
    const inspected = await inspectMaterial(toPath, use)
    signal?.throwIfAborted()
    return inspected
  } catch (error) {
    await rm(toPath, { force: true })
    throw error instanceof FetchFailure ? materialFailureOf(error, use) : error
  }
}

export function materialFailureOf(failure: FetchFailure, use: MaterialUse): MaterialFailure {
  const noun = NOUNS[use.kind]
  if (failure.kind === 'too_large') {
    const limit = failure.bytesMax === null ? '' : `: more than ${megabytes(failure.bytesMax)} MB are not taken`
    return new MaterialFailure('image_too_large', `The ${noun} is too large${limit}.`, { cause: failure })
  }
  const message = `The ${noun} could not be fetched: ${failure.message}.`
  return new MaterialFailure('image_fetch_failed', message, { cause: failure })
}
