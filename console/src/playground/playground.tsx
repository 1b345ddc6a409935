// The playground: the form of a model on one side, the light table on the other.
import { useCallback, useEffect, useMemo, useState } from 'preact/hooks'
import type { CreateTaskBody, TaskRecord } from '../api-types.ts'
import { formatCount, formatCredits } from '../format.ts'
import { useAction } from '../hooks.ts'
import { useSession } from '../session.ts'
import { problemsByPath } from '../task-facts.ts'
import { Notice } from '../ui/parts.tsx'
import { bodyOfDraft, framesOf, useDraft } from './draft.ts'
import { draftOf, extensionOf } from './repeat.ts'
import { CallBackField, ModelChoice } from './request-fields.tsx'
import { RequestPanel } from './request-panel.tsx'
import { SchemaForm } from './schema-form.tsx'
import { Stage } from './stage.tsx'
import { usePastedFrame } from './use-pasted-frame.ts'
import { useRules } from './use-rules.ts'
import { useSample } from './use-sample.ts'
import { useTouched } from './use-touched.ts'

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

function focusFirstError(): void {
  requestAnimationFrame(() => {
    const field = document.querySelector<HTMLElement>('.inspector [aria-invalid], .inspector [data-invalid] button')
    field?.focus()
    ;(field ?? document.querySelector('.inspector .error'))?.scrollIntoView({ block: 'center' })
  })
}
