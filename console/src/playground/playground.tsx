// The playground: the form of a model on one side, the light table on the other.
import { useCallback, useContext, useEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { DailiesError } from '../../../client/src/errors.ts'
import type { CreateTaskBody, TaskRecord } from '../api-types.ts'
import { formatCredits } from '../format.ts'
import { toProblem, useAction } from '../hooks.ts'
import { useTitle } from '../router.ts'
import { useSession } from '../session.ts'
import { problemsByPath } from '../task-facts.ts'
import { Select } from '../ui/fields.tsx'
import { Notice } from '../ui/parts.tsx'
import { UploadsContext, useCanUpload } from './pictures/uploads.ts'
import { useDroppedFrame } from './pictures/use-dropped-frame.ts'
import { useSample } from './pictures/use-sample.ts'
import { costNote, useShortage } from './request/cost.ts'
import { bodyOfDraft, framesOf, useDraft } from './request/draft.ts'
import { CallBackField, ModelChoice } from './request/request-fields.tsx'
import { RequestPanel } from './request/request-panel.tsx'
import { SchemaForm } from './request/schema-form.tsx'
import { useRules } from './request/use-rules.ts'
import { useTouched } from './request/use-touched.ts'
import { Compare } from './runs/compare.tsx'
import { HistoryStrip } from './runs/history-strip.tsx'
import { useRecent } from './runs/recent.ts'
import { draftOf, repeat } from './runs/repeat.ts'
import { Stage } from './runs/stage.tsx'

const stageKey = 'dailies-stage'

export function Playground({ fromTaskId }: { fromTaskId: string | null }) {
  const session = useSession()
  const [underWay, setUnderWay] = useState(0)
  const change = useCallback((by: 1 | -1) => setUnderWay((before) => before + by), [])
  const uploads = useMemo(() => ({ underWay, change }), [underWay, change])
  if (session.models.length === 0) return <Notice>This service offers no video model.</Notice>
  return (
    <UploadsContext.Provider value={uploads}>
      <Workbench fromTaskId={fromTaskId} />
    </UploadsContext.Provider>
  )
}

function Workbench({ fromTaskId }: { fromTaskId: string | null }) {
  const { api, models, balance, refreshBalance, maintenance } = useSession()
  const editor = useDraft(models, useCanUpload())
  const { draft } = editor
  // The draft's model may have been switched off meanwhile.
  const model = models.find(({ id }) => id === draft.modelId) ?? models[0]!
  const rules = useRules()
  const sample = useSample()
  const isUploading = useContext(UploadsContext).underWay > 0
  const action = useAction()
  const [taskId, setTaskId] = useState(() => sessionStorage.getItem(stageKey))
  const [tried, setTried] = useState(false)
  const [runs, setRuns] = useState(1)
  /** Why the request of the task in the address could not be opened. */
  const [unread, setUnread] = useState<DailiesError | null>(null)
  const [compared, setCompared] = useState<string[]>([])
  const recent = useRecent()
  const sending = useRef<AbortController | null>(null)
  useTitle('Playground')

  const show = useCallback((id: string) => {
    sessionStorage.setItem(stageKey, id)
    setTaskId(id)
    setCompared([])
  }, [])
  const clearStage = useCallback(() => {
    sessionStorage.removeItem(stageKey)
    setTaskId(null)
  }, [])
  useEffect(() => {
    if (fromTaskId === null) return
    let left = false
    setUnread(null)
    api.getTask(fromTaskId).then(
      (task) => {
        if (left) return
        const taken = draftOf(task, models)
        if (taken) editor.replace(taken)
        // From now on the draft counts, whatever else changes; until now, a reload reads the task again.
        location.replace('#/play')
      },
      (error) => {
        if (!left) setUnread(toProblem(error))
      },
    )
    return () => {
      left = true
    }
  }, [fromTaskId, api, models, editor.replace])

  const body = useMemo(() => bodyOfDraft(draft), [draft])
  const local = useMemo(
    () => rules?.check(sample.stoodIn(body)) ?? new Map<string, string>(),
    [rules, body, sample.stoodIn],
  )
  const price = useMemo(() => rules?.price(model, draft.input) ?? null, [rules, model, draft.input])
  const reported = useMemo(
    () => (action.problem?.code === 422 ? problemsByPath(action.problem.message) : new Map<string, string>()),
    [action.problem],
  )
  const touched = useTouched(draft)
  const errorAt = (path: string) => {
    const top = /^(?:input\.)?(\w+)/.exec(path)?.[1] ?? ''
    return (tried || touched.has(top) ? local.get(path) : undefined) ?? reported.get(path)
  }

  const send = useCallback(
    (request: CreateTaskBody, times = 1) =>
      action.run(async () => {
        const stop = new AbortController()
        sending.current = stop
        const body = await sample.uploaded(request)
        try {
          for (let run = 0; run < times && !stop.signal.aborted; run++) {
            const created = await api.create(body, stop.signal)
            recent.add(created)
            show(created)
          }
        } finally {
          refreshBalance()
        }
      }),
    [action.run, api, sample.uploaded, show, refreshBalance, recent.add],
  )
  const submit = () => {
    if (isUploading || isShort) return
    setTried(true)
    action.clear()
    if (local.size === 0) {
      send(body, runs)
      if (matchMedia('(max-width: 900px)').matches) scrollTo({ top: 0, behavior: 'smooth' })
    } else focusFirstError()
  }
  const runAgain = (task: TaskRecord) => {
    const again = draftOf(task, models)
    if (again) send(bodyOfDraft(again))
    else {
      action.run(async () => {
        const created = await repeat(api, task, models)
        recent.add(created)
        show(created)
        refreshBalance()
      })
    }
  }
  // A refusal by maintenance must not outlast it.
  const isRefusedForNow = action.problem?.code === 455
  useEffect(() => {
    if (!maintenance && isRefusedForNow) action.clear()
  }, [maintenance])
  const isShort = useShortage(price === null ? 0 : price * runs)
  const dropped = useDroppedFrame(model, editor.draft, editor.replace, rules?.frameLimits(model.id) ?? null)
  const pair = compared.map((id) => recent.tasks.get(id)).filter((task) => task !== undefined)
  const isKnownPath = (path: string) => path.startsWith('input.') || path === 'callBackUrl'
  const leftOver = action.problem && ![...reported.keys()].some(isKnownPath) ? action.problem : null
  return (
    <div class="workbench" data-dragging={dropped.dragging || undefined}>
      <h1 class="visually-hidden">Playground</h1>
      <div class="bench">
        {pair.length === 2 ? (
          <Compare key={compared.join()} left={pair[0]!} right={pair[1]!} onClose={() => setCompared([])} />
        ) : (
          <Stage
            taskId={taskId}
            firstFrame={framesOf(draft.input)[0]}
            rules={rules}
            onTask={(id) => {
              recent.add(id)
              show(id)
            }}
            onMissing={clearStage}
            onRunAgain={runAgain}
          />
        )}
        <HistoryStrip recent={recent} shownId={taskId} compared={compared} onShow={show} onCompare={setCompared} />
      </div>
      <form
        class="inspector"
        aria-label="Request"
        noValidate
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
          event.preventDefault()
          submit()
        }}
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
      >
        <ModelChoice models={models} model={model} onChange={editor.setModel} />
        <SchemaForm
          model={model}
          input={draft.input}
          frameLimits={rules?.frameLimits(model.id) ?? null}
          errorOf={(path) =>
            errorAt(`input.${path}`) ?? (path === 'image_url' ? (dropped.problem ?? undefined) : undefined)
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
          <Notice problem={leftOver ?? unread} />
          <div class="row spread">
            <p class="price">
              <strong>{price === null ? '–' : formatCredits(price)}</strong>
              <span id="cost" class={isShort ? 'error' : 'muted'}>
                {costNote(price, balance, runs)}
              </span>
            </p>
            <div class="row">
              <span class="runs">
                <Select
                  label="How many runs"
                  value={String(runs)}
                  options={[1, 2, 3, 4].map((count) => [String(count), `× ${count}`])}
                  onChange={(count) => setRuns(Number(count))}
                />
              </span>
              {action.busy ? (
                <button
                  type="button"
                  class="button large"
                  onClick={(event) => {
                    // The second click of a double click on the button that was here means the same as the first.
                    if (event.detail < 2) sending.current?.abort()
                  }}
                >
                  Sending… Stop
                </button>
              ) : (
                <button
                  type="submit"
                  class="button primary large"
                  title={isShort ? 'Not enough credits' : 'Ctrl + Enter'}
                  aria-describedby="cost"
                  disabled={isUploading || isShort}
                >
                  {isUploading ? 'Uploading…' : runs === 1 ? 'Make the video' : `Make ${runs} videos`}
                </button>
              )}
            </div>
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
