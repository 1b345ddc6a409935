// The inference endpoint: chooses the model for a path, validates the body, submits it, and waits for the result. Video
// models run as tasks; the embeddings model runs as inference requests (inference/infer.ts).
import { z } from 'zod'
import type { Principal } from '../accounts/keys/authenticate.ts'
import type { Admission, Admitted } from '../admission/admission.ts'
import { forget, type Idempotency } from '../admission/idempotency.ts'
import type { Catalogue } from '../models/catalogue.ts'
import { suggestInput } from '../models/misplaced-fields.ts'
import type { VideoModel } from '../models/model.ts'
import {
  embeddingCreditsEstimate,
  universalSentenceEncoder,
  webhookSchema,
} from '../models/universal-sentence-encoder.ts'
import { OperatorError } from '../platform/errors.ts'
import { splitFields, unknownFields } from '../schema/unknown-fields.ts'
import { mapParsed, type Parsed, parseWith } from '../schema/validation.ts'
import { textOrNull } from '../schema/wire-types.ts'
import type { Finish } from '../tasks/finish/finish.ts'
import { findTask } from '../tasks/store/read.ts'
import type { SubmitTask } from '../tasks/submit.ts'
import { endOfTask } from './end-of-task.ts'
import { createInfer, type InferDeps } from './infer.ts'
import { failedRequestPayload, failedTaskPayload, queuedPayload, requestPayload, waitedPayload } from './payload.ts'
import { failRequest, findRequest, inferenceRequests, readRequest } from './requests.ts'
import { waitFor } from './wait.ts'

interface InferenceDeps extends InferDeps {
  catalogue: Catalogue
  admission: Admission
  submitTask: SubmitTask
  /** Serves paths that are not in the catalogue; null: they are not found. */
  defaultModel: string | null
  syncWaitMs: number
  publicUrl(): string
  /** Aborts when the service stops: clients that wait get the queued response. */
  stopping: AbortSignal
  finish: Finish
}

/** A valid body, ready to be submitted. */
export interface InferenceRequest {
  callBackUrl: string | null
  ignoredFields: string[]
  submit(caller: Principal, idempotency: Idempotency | null): Promise<Admitted>
}

interface ServedModel {
  id: string
  parse(body: unknown): Parsed<InferenceRequest>
}

export type Inference = ReturnType<typeof createInference>

export function createInference(deps: InferenceDeps) {
  /** How many clients of this process wait for a request. */
  const waiters = new Map<string, number>()
  const { defaultModel } = deps
  if (defaultModel !== null && !find(defaultModel)) {
    throw new OperatorError(`DAILIES_DEFAULT_MODEL is not in the catalogue: ${defaultModel}`)
  }

  function find(id: string): ServedModel | null {
    if (id === universalSentenceEncoder.id) return { id, parse: parseEmbedding }
    const video = deps.catalogue.get(id)
    return video ? { id, parse: (body) => parseVideo(video, body) } : null
  }

  function parseEmbedding(body: unknown): Parsed<InferenceRequest> {
    return mapParsed(universalSentenceEncoder.parse(body), ({ inputs, webhook: callBackUrl }) => ({
      callBackUrl,
      ignoredFields: unknownFields(universalSentenceEncoder.bodySchema, body),
      submit: (caller, idempotency) =>
        deps.admission.submit({
          kind: inferenceRequests,
          details: { model: universalSentenceEncoder.id, param: JSON.stringify({ inputs }) },
          accountId: caller.accountId,
          keyId: caller.keyId,
          price: embeddingCreditsEstimate(inputs, deps.usdPerMillionTokens),
          features: ['inference', universalSentenceEncoder.id],
          callBackUrl,
          idempotency,
          refusal: null,
        }),
    }))
  }

  /** The same task that createTask creates, reported in the shape of inference. */
  function parseVideo(model: VideoModel, body: unknown): Parsed<InferenceRequest> {
    const outer = parseWith(videoBody, body, '')
    const input = (body as { input?: unknown } | null)?.input
    const requested = outer.ok || input !== undefined ? model.parse(input) : null
    if (!outer.ok || !requested?.ok) {
      const problems = [...(requested && !requested.ok ? requested.problems : []), ...(outer.ok ? [] : outer.problems)]
      const distinct = [...new Map(problems.map((problem) => [problem.field, problem])).values()]
      return { ok: false, problems: suggestInput(distinct, body, Object.keys(model.inputSchema.shape)) }
    }
    const callBackUrl = textOrNull(outer.value.webhook)
    const schema = z.object({ input: model.inputSchema, webhook: webhookSchema })
    const known = splitFields(schema, body)
    return {
      ok: true,
      value: {
        callBackUrl,
        ignoredFields: known.ignoredFields,
        submit: (caller, idempotency) =>
          deps.submitTask(caller, {
            model,
            request: requested.value,
            ...known,
            callBackUrl,
            idempotency,
            via: 'inference',
            features: ['inference'],
          }),
      },
    }
  }

  /** The result of the request as JSON; null while it has not ended. */
  async function endOf(id: string): Promise<string | null> {
    const request = await findRequest(deps.db, id)
    if (request) return waitedPayload(request)
    const task = await findTask(deps.db, id)
    return task ? endOfTask(deps.db, task, deps.publicUrl()) : null
  }

  /** The same, with the reason of a failure. */
  function readAgain(found: Awaited<ReturnType<typeof readRequest>>): string | null | Promise<string | null> {
    if ('request' in found) {
      const { request } = found
      return request.state === 'failed' ? JSON.stringify(failedRequestPayload(request)) : requestPayload(request)
    }
    const { task } = found
    return task.state === 'fail' ? JSON.stringify(failedTaskPayload(task)) : endOfTask(deps.db, task, deps.publicUrl())
  }

  return {
    infer: createInfer(deps),

    /** The model that serves a path, from the catalogue or by default. */
    serve: (path: string): ServedModel | null => find(path) ?? (defaultModel === null ? null : find(defaultModel)),

    videoModels: () => deps.catalogue.ids(),
    isVideoModel: (id: string) => deps.catalogue.get(id) !== undefined,

    /** The result of a request as JSON, or that it is queued. */
    async read(caller: Principal, id: string): Promise<{ model: string; json: string }> {
      const found = await readRequest(deps.db, caller, id)
      const row = 'task' in found ? found.task : found.request
      return { model: row.model, json: (await readAgain(found)) ?? JSON.stringify(queuedPayload(id)) }
    },

    /**
     * The result as JSON, or null when it takes too long. When the last waiting client disconnects, the request ends.
     */
    async waitForResult(id: string, disconnected: AbortSignal): Promise<string | null> {
      waiters.set(id, (waiters.get(id) ?? 0) + 1)
      try {
        const signal = AbortSignal.any([disconnected, deps.stopping])
        return await waitFor(deps.events, id, () => endOf(id), { withinMs: deps.syncWaitMs, signal })
      } finally {
        const left = waiters.get(id)! - 1
        if (left > 0) waiters.set(id, left)
        else waiters.delete(id)
        if (disconnected.aborted && left === 0) await giveUp(deps, id)
      }
    },

    /** Ends a request that no client waits for any more. */
    giveUp: (id: string) => giveUp(deps, id),
  }
}

/**
 * Ends a request whose client disconnected: no result, no charge. Its idempotency key is deleted too, so that the client
 * can send the request again with the same key.
 */
async function giveUp(deps: InferenceDeps, id: string): Promise<void> {
  const isRequest = await deps.db.transaction(async (tx) => {
    // Locks the job before the request, in the order of the worker that ends it: otherwise the two could deadlock.
    await deps.queue.lock(tx, [id])
    const request = await failRequest(tx, id, 'canceled', deps.clock.now())
    if (!request) return false
    await deps.queue.remove(tx, [id])
    await deps.onEnded(tx, request)
    await forget(tx, [id])
    tx.afterCommit(() => deps.events.changed(id))
    return true
  })
  if (isRequest) return
  const failure = { reason: 'canceled', message: 'The client disconnected before the video was ready.' } as const
  await deps.finish({ taskId: id, job: null, result: { failure }, stopsEngine: true, isRepeatable: true })
}

const videoBody = z.object({ input: z.looseObject({}), webhook: webhookSchema })
