// Fetches a task's input files: moderates its prompts, fetches every URL through the guarded fetch, inspects the files,
// moderates the images, stores them, and writes the engine's plan.

import { copyFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ChildError } from '../../children/child-error.ts'
import type { OnBehalfOf } from '../../children/child-pool.ts'
import type { Db } from '../../db/db.ts'
import type { InputFile, Plan } from '../../engines/engine.ts'
import type { FreeWork } from '../../limits/free-work.ts'
import type { Slots } from '../../limits/slots.ts'
import { fetchInput } from '../../media/fetch-input.ts'
import { InputFailure } from '../../media/input-failure.ts'
import type { InputInspector, InputUse, Inspected } from '../../media/inspect-input.ts'
import type { FrameRequest, VideoRequest } from '../../models/model.ts'
import type { Moderator } from '../../moderation/moderation.ts'
import { FetchFailure } from '../../outbound/fetch-failure.ts'
import type { GuardedFetch } from '../../outbound/guarded-fetch.ts'
import type { Clock } from '../../platform/clock.ts'
import { findFile, tokenOfUrl } from '../../storage/files.ts'
import type { Storage } from '../../storage/storage.ts'
import type { WorkFolder } from '../../storage/work-folder.ts'
import type { HeldJob, StoreFiles } from '../store/task-files.ts'
import { requestOf, type TaskFailure, type TaskRow } from '../store/task-row.ts'
import { fieldOfText, fieldOfUrl } from './blamed-field.ts'
import { type FetchInputs, TaskFailed } from './prepare.ts'
import type { WorkerHealth } from './worker-health.ts'

interface FetchInputsDeps extends Pick<InputInspector, 'inspectInput'> {
  db: Db
  storage: Storage
  storeFiles: StoreFiles
  fetch: GuardedFetch
  fetchSlots: Slots
  moderator: Moderator
  clock: Clock
  withFolder: WorkFolder['withFolder']
  publicUrl(): string
  health: Pick<WorkerHealth, 'succeeded' | 'failed'>
  /** Counts the time that child processes worked for a task that failed. */
  spend: FreeWork['spend']
}

/** Inputs expire when their task ends; this is the latest time, for inputs whose task was lost. */
const inputTtlMs = 60 * 86_400_000

interface Wanted {
  url: string
  use: InputUse
}

interface Found extends Wanted {
  path: string
  inspected: Inspected
}

export function createFetchInputs(deps: FetchInputsDeps): FetchInputs {
  return async (task, held) => {
    const { signal } = held
    const request = requestOf(task)
    let usedMs = 0
    const used = (ms: number) => {
      usedMs += ms
    }
    const onBehalfOf = { caller: { account: task.account_id, key: task.key_id }, signal, used }
    try {
      await judgePrompts(deps.moderator, request, task, onBehalfOf)
      const wanted = wantedBy(request)
      const stored = await deps.withFolder(`inputs-${task.id}`, async (dir) => {
        const found = await fetchAll(deps, task, [...wanted.values()], dir, onBehalfOf)
        await judgeImages(deps.moderator, found, task, onBehalfOf)
        return store(deps, task, held, found)
      })
      deps.health.succeeded('child')
      const byName = new Map([...wanted.keys()].map((name, i) => [name, stored[i]!]))
      return planOf(task.model, request, (item) => byName.get(nameOf(item))!)
    } catch (error) {
      deps.spend({ accountId: task.account_id, keyId: task.key_id }, usedMs)
      const failure = asCrash(error)
      if (failure instanceof TaskFailed && failure.passing?.of === 'child') {
        deps.health.failed('child', { account: task.account_id, host: null })
      }
      throw failure
    }
  }
}

const frameUse = (frame: FrameRequest): InputUse => ({
  kind: 'frame',
  bytesMax: frame.bytesMax,
  ratio: frame.ratio ?? undefined,
})

const nameOf = (item: Wanted) => JSON.stringify(item)

/** Everything to fetch, each URL once per use. */
function wantedBy(request: VideoRequest): Map<string, Wanted> {
  const items: Wanted[] = []
  planOf('', request, (item) => {
    items.push(item)
    return { file: '', kind: 'image' }
  })
  return new Map(items.map((item) => [nameOf(item), item]))
}

/** The plan for a request, with `fileFor` called for each file that it refers to. */
export function planOf(model: string, request: VideoRequest, fileFor: (item: Wanted) => InputFile): Plan {
  const frame = (frame: FrameRequest) => fileFor({ url: frame.url, use: frameUse(frame) })
  return {
    model,
    prompt: request.prompt,
    negativePrompt: request.negativePrompt,
    guidance: request.guidance,
    ...(request.seed !== undefined && { seed: request.seed }),
    seconds: request.seconds,
    size: request.size,
    firstFrame: frame(request.firstFrame),
    lastFrame: request.lastFrame && frame(request.lastFrame),
    ...(request.momentum && { momentum: request.momentum }),
    ...(request.wideFrame && {
      wideFrame: { image: frame(request.wideFrame.image), area: request.wideFrame.area },
    }),
    shots: request.shots,
    planShots: request.planShots,
    elements: request.elements.map((element) => ({
      name: element.name,
      description: element.description,
      material: element.urls.map(({ url, startMs, endMs }) =>
        fileFor({ url, use: { kind: 'element', startMs, endMs } }),
      ),
      audio: element.audioUrls.map((url) => fileFor({ url, use: { kind: 'element_audio' } })),
    })),
    audio: request.audio,
  }
}

async function fetchAll(
  deps: FetchInputsDeps,
  task: TaskRow,
  wanted: Wanted[],
  dir: string,
  { caller, signal: outer, used }: Required<OnBehalfOf> & { signal: AbortSignal },
): Promise<Found[]> {
  // A final failure ends the task, so the others are not waited for. After one that may pass, another file may still fail
  // finally, and then no retry helps.
  const failed = new AbortController()
  let passing: TaskFailed | undefined
  const signal = AbortSignal.any([outer, failed.signal])
  const fetches = wanted.map(async ({ url, use }, i) => {
    const path = join(dir, String(i))
    try {
      const host = new URL(url).host
      const fetch = () => fetchOne(deps, url, use, path, { caller, signal, used })
      const inspected = await deps.fetchSlots.run({ ...caller, host, task: task.id }, fetch, { signal })
      noteFetch(deps, url, caller.account, null)
      return { url, use, path, inspected }
    } catch (error) {
      noteFetch(deps, url, caller.account, error)
      const failure = asCrash(asTaskFailure(error, task, { url, use }))
      if (failure instanceof TaskFailed && failure.passing) passing ??= failure
      else failed.abort(failure)
      throw error
    }
  })
  const results = await Promise.allSettled(fetches)
  outer.throwIfAborted()
  // Report the failure that aborted the others, not the errors that the abort caused.
  if (failed.signal.aborted) throw failed.signal.reason
  if (passing) throw passing
  return results.map((result) => (result as PromiseFulfilledResult<Found>).value)
}

async function fetchOne(
  deps: FetchInputsDeps,
  url: string,
  use: InputUse,
  path: string,
  onBehalfOf: OnBehalfOf,
): Promise<Inspected> {
  const token = tokenOfUrl(deps.publicUrl(), url)
  if (token === null) return fetchInput(deps, url, use, path, onBehalfOf)
  const file = await findFile(deps.db, token, deps.clock.now())
  if (!file) {
    throw new InputFailure('image_fetch_failed', 'The file could not be read: it is not there, or has expired.')
  }
  await copyFile(await deps.storage.localPath(file.storage_key), path)
  return deps.inspectInput(path, use, onBehalfOf)
}

/** Whether this worker could fetch the file, whatever was wrong with it. */
function noteFetch({ health, publicUrl }: FetchInputsDeps, url: string, account: string, error: unknown): void {
  if ((error !== null && !(error instanceof InputFailure)) || tokenOfUrl(publicUrl(), url) !== null) return
  const failure = error?.cause instanceof FetchFailure ? error.cause : null
  if (failure === null || failure.reachedServer) health.succeeded('fetch')
  else if (failure.isPassing) health.failed('fetch', { account, host: new URL(url).host })
}

/** A process that crashed over a prompt or an image may do so for other reasons; see ChildError. */
function asCrash(error: unknown): unknown {
  if (!(error instanceof ChildError && error.mayPass)) return error
  const message = 'The input could not be checked: the process that checks it crashed.'
  return new TaskFailed({ reason: 'internal', message }, { cause: error, passing: { of: 'child', retryAfterMs: null } })
}

function asTaskFailure(error: unknown, task: TaskRow, { url, use }: Wanted): unknown {
  if (!(error instanceof InputFailure)) return error
  return failureOf(fieldOfUrl(task.param, url, use), error, { cause: error, passing: error.passing })
}

/** The message starts with the field to blame. */
function failureOf(
  field: string | null,
  { reason, message }: TaskFailure,
  options?: ConstructorParameters<typeof TaskFailed>[1],
): TaskFailed {
  return new TaskFailed({ reason, message: field === null ? message : `${field}: ${message}` }, options)
}

async function judgePrompts(
  moderator: Moderator,
  request: VideoRequest,
  task: TaskRow,
  onBehalfOf: OnBehalfOf,
): Promise<void> {
  const texts = [
    request.prompt,
    ...request.shots.map((shot) => shot.prompt),
    ...request.elements.map((e) => e.description),
  ]
  for (const text of texts) {
    const verdict = await moderator.checkPrompt(text, onBehalfOf)
    if (!verdict.allowed) throw failureOf(fieldOfText(task.param, text), verdict)
  }
}

async function judgeImages(moderator: Moderator, found: Found[], task: TaskRow, onBehalfOf: OnBehalfOf): Promise<void> {
  for (const { url, use, path, inspected } of found) {
    if (inspected.kind !== 'image') continue
    const verdict = await moderator.checkImage(path, onBehalfOf)
    if (!verdict.allowed) throw failureOf(fieldOfUrl(task.param, url, use), verdict)
  }
}

async function store(deps: FetchInputsDeps, task: TaskRow, held: HeldJob, found: Found[]): Promise<InputFile[]> {
  const expiresAt = deps.clock.now() + inputTtlMs
  const rows = await deps.storeFiles(
    task,
    held,
    found.map(({ path, inspected: { mime, bytes } }) => ({
      purpose: 'input',
      name: 'input',
      mime,
      bytes,
      expires_at: expiresAt,
      path,
    })),
  )
  return found.map(({ inspected }, i) => inputFileOf(rows[i]!.storage_key, inspected))
}

function inputFileOf(file: string, inspected: Inspected): InputFile {
  if (inspected.kind === 'image') return { file, kind: 'image', width: inspected.width, height: inspected.height }
  if (inspected.kind === 'audio') return { file, kind: 'audio', seconds: inspected.seconds }
  const { width, height, seconds, capture } = inspected
  return { file, kind: 'video', width, height, seconds, startMs: capture.startMs, endMs: capture.endMs }
}
