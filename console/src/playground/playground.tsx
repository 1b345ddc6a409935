// The playground: the form of a model on one side, the light table on the other.
import { useCallback, useEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { CreateTaskBody, ModelInfo, TaskRecord } from '../api-types.ts'
import { formatCount, formatCredits } from '../format.ts'
import { useAction } from '../hooks.ts'
import { useSession } from '../session.ts'
import { bodyOf, isObject, parentOf, problemsByPath, promptOf } from '../task-facts.ts'
import { Notice } from '../ui/parts.tsx'
import { bodyOfDraft, type Draft, framesOf, useDraft, withFrames } from './draft.ts'
import { RequestPanel } from './request-panel.tsx'
import { SchemaForm } from './schema-form.tsx'
import { Stage } from './stage.tsx'
import { fileOf, useUpload } from './uploads.ts'
import { useRules } from './use-rules.ts'
import { useSample } from './use-sample.ts'

const stageKey = 'dailies-stage'

export function Playground({ fromTaskId }: { fromTaskId: string | null }) {
  const session = useSession()
  if (session.models.length === 0) return <Notice>This service offers no video model.</Notice>
  return <Workbench fromTaskId={fromTaskId} />
}

function Workbench({ fromTaskId }: { fromTaskId: string | null }) {
  const { api, models, balance, refreshBalance } = useSession()
  const editor = useDraft(models)
  const { draft } = editor
  const model = models.find(({ id }) => id === draft.modelId)!
  const rules = useRules()
  const sample = useSample()
  const action = useAction()
  const [taskId, setTaskId] = useState(() => sessionStorage.getItem(stageKey))
  const [tried, setTried] = useState(false)

  const show = useCallback((id: string) => {
    sessionStorage.setItem(stageKey, id)
    setTaskId(id)
  }, [])
  useEffect(() => {
    if (fromTaskId === null) return
    api.getTask(fromTaskId).then(
      (task) => {
        const taken = draftOf(task, models)
        if (taken) editor.replace(taken)
      },
      () => {},
    )
    history.replaceState(null, '', '#/play')
  }, [fromTaskId, api, models, editor.replace])

  const body = useMemo(() => bodyOfDraft(draft), [draft])
  const local = useMemo(
    () => rules?.check(sample.stoodIn(body)) ?? new Map<string, string>(),
    [rules, body, sample.stoodIn],
  )
  const price = useMemo(() => rules?.price(model, draft.input) ?? null, [rules, model, draft.input])
  const told = useMemo(
    () => (action.problem?.code === 422 ? problemsByPath(action.problem.message) : new Map<string, string>()),
    [action.problem],
  )
  const touched = useTouched(draft)
  const errorAt = (path: string) => {
    const top = /^(?:input\.)?(\w+)/.exec(path)?.[1] ?? ''
    return (tried || touched.has(top) ? local.get(path) : undefined) ?? told.get(path)
  }

  const send = useCallback(
    (request: CreateTaskBody) =>
      action.run(async () => {
        const created = await api.createTask(await sample.uploaded(request))
        show(created)
        refreshBalance()
      }),
    [action.run, api, sample.uploaded, show, refreshBalance],
  )
  const submit = () => {
    setTried(true)
    action.clear()
    if (local.size === 0) {
      send(body)
      if (matchMedia('(max-width: 900px)').matches) scrollTo({ top: 0, behavior: 'smooth' })
    } else focusFirstError()
  }
  const runAgain = (task: TaskRecord) => {
    const again = draftOf(task, models)
    if (again) send(bodyOfDraft(again))
    else {
      action.run(async () => {
        show(await api.extend(extensionOf(task)))
        refreshBalance()
      })
    }
  }
  const paste = usePastedFrame(model, editor.draft, editor.replace, rules?.frameLimits(model.id) ?? null)
  const isKnownPath = (path: string) => path.startsWith('input.') || path === 'callBackUrl'
  const leftOver = action.problem && ![...told.keys()].some(isKnownPath) ? action.problem : null
  return (
    <div class="workbench" onPaste={paste.onPaste}>
      <h1 class="visually-hidden">Playground</h1>
      <Stage
        taskId={taskId}
        firstFrame={framesOf(draft.input)[0]}
        samplePreview={sample.preview}
        rules={rules}
        onTask={show}
        onRunAgain={runAgain}
      />
      <form
        class="inspector"
        aria-label="Request"
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
      >
        <ModelChoice models={models} model={model} onChange={editor.setModel} />
        <SchemaForm
          model={model}
          input={draft.input}
          samplePreview={sample.preview}
          frameLimits={rules?.frameLimits(model.id) ?? null}
          errorOf={(path) =>
            errorAt(`input.${path}`) ?? (path === 'image_url' ? (paste.problem ?? undefined) : undefined)
          }
          setField={editor.setField}
          setInput={(input) => editor.replace({ ...draft, input })}
        />
        <CallBackField value={draft.callBackUrl} error={errorAt('callBackUrl')} onChange={editor.setCallBackUrl} />
        <RequestPanel
          body={sample.knownUrl ? sample.withUrl(body, sample.knownUrl) : body}
          onOpen={() => sample.ensure().catch(() => {})}
        />
        <div class="submit">
          <Notice problem={leftOver} />
          <div class="row spread">
            <p class="price">
              <strong>{price === null ? '–' : formatCredits(price)}</strong>
              <span class="muted">
                {price !== null && price > balance ? 'more than you have: ' : 'of '}
                {formatCount(balance)}
              </span>
            </p>
            <button type="submit" class="button primary large" disabled={action.busy}>
              {action.busy ? 'Sending…' : 'Make the video'}
            </button>
          </div>
        </div>
      </form>
    </div>
  )
}

function ModelChoice({
  models,
  model,
  onChange,
}: {
  models: ModelInfo[]
  model: ModelInfo
  onChange(model: ModelInfo): void
}) {
  return (
    <fieldset class="models">
      <legend class="label">Model</legend>
      {models.map((candidate) => (
        <label key={candidate.id} class="model">
          <input type="radio" name="model" checked={candidate.id === model.id} onChange={() => onChange(candidate)} />
          <span class="model-face">
            <strong>{candidate.title}</strong>
            <span class="muted">{candidate.description}</span>
          </span>
        </label>
      ))}
    </fieldset>
  )
}

function CallBackField({
  value,
  error,
  onChange,
}: {
  value: string
  error: string | undefined
  onChange(url: string): void
}) {
  return (
    <details class="more" open={value !== '' || error !== undefined}>
      <summary>Callback</summary>
      <div class="field">
        <label for="call-back-url">Callback URL</label>
        <input
          id="call-back-url"
          type="url"
          placeholder="https://…"
          value={value}
          aria-invalid={error ? true : undefined}
          aria-describedby={error ? 'call-back-url-error' : undefined}
          onInput={(event) => onChange(event.currentTarget.value)}
        />
        {error && (
          <p class="error" id="call-back-url-error">
            {error}
          </p>
        )}
      </div>
    </details>
  )
}

/** Fields whose value changed since the playground was opened: only of these a mistake is worth a word yet. */
function useTouched(draft: Draft): Set<string> {
  const before = useRef(draft)
  const touched = useRef(new Set<string>())
  if (before.current !== draft) {
    if (before.current.modelId !== draft.modelId) touched.current = new Set()
    else {
      for (const name of new Set([...Object.keys(before.current.input), ...Object.keys(draft.input)])) {
        if (before.current.input[name] !== draft.input[name]) touched.current.add(name)
      }
      if (before.current.callBackUrl !== draft.callBackUrl) touched.current.add('callBackUrl')
    }
    before.current = draft
  }
  // Shots and subjects start out empty; they are judged when the request is sent.
  const named = new Set(touched.current)
  named.delete('multi_prompt')
  named.delete('elements')
  return named
}

/** A picture pasted anywhere on the bench becomes the first frame. */
function usePastedFrame(
  model: ModelInfo,
  draft: Draft,
  replace: (draft: Draft) => void,
  limits: Parameters<typeof useUpload>[0],
) {
  const upload = useUpload(limits)
  const onPaste = async (event: ClipboardEvent) => {
    const file = fileOf(event.clipboardData)
    if (!file) return
    event.preventDefault()
    const url = await upload.send(file)
    if (url)
      replace({ ...draft, input: withFrames(model.inputSchema, draft.input, [url, ...framesOf(draft.input).slice(1)]) })
  }
  return { onPaste, problem: upload.problem }
}

function focusFirstError(): void {
  requestAnimationFrame(() => {
    const field = document.querySelector<HTMLElement>('.inspector [aria-invalid], .inspector [data-invalid] button')
    field?.focus()
    ;(field ?? document.querySelector('.inspector .error'))?.scrollIntoView({ block: 'center' })
  })
}

/** The request of a task that plays on from another. */
function extensionOf(task: TaskRecord) {
  const { duration } = bodyOf(task)
  return {
    taskId: parentOf(task) ?? '',
    prompt: promptOf(task),
    ...(duration === undefined || duration === null ? {} : { duration: String(duration) }),
  }
}

/** The request of a task, to be sent or changed again; null for an extension, whose request is another. */
function draftOf(task: TaskRecord, models: ModelInfo[]): Draft | null {
  const body = bodyOf(task)
  if (parentOf(task) !== null || !isObject(body.input) || !models.some(({ id }) => id === task.model)) return null
  const { image_urls: otherSpelling, ...input } = body.input
  if (otherSpelling !== undefined) input.image_url ??= otherSpelling
  return { modelId: task.model, input, callBackUrl: typeof body.callBackUrl === 'string' ? body.callBackUrl : '' }
}
