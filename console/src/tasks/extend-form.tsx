// A form for the next part: creates a task that continues from the last frame.
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { promptOf } from '../../../client/src/records.ts'
import type { ExtendTask, TaskRecord } from '../api-types.ts'
import { formatCredits } from '../format.ts'
import { useAction } from '../hooks.ts'
import { choicesOf, plainSchema } from '../json-schema.ts'
import { PromptField } from '../playground/request/prompt-field.tsx'
import type { Rules } from '../playground/request/rules.ts'
import { useSession } from '../session.ts'
import { bodyOf, parentOf, problemsByPath } from '../task-facts.ts'
import { Choice } from '../ui/fields.tsx'
import { Notice } from '../ui/parts.tsx'

interface ExtendFormProps {
  task: TaskRecord
  /** An earlier extension, whose request is to be changed and sent again. */
  like?: TaskRecord | null
  rules: Rules | null
  onExtended(taskId: string): void
  onClose(): void
}

export function ExtendForm({ task, like, rules, onExtended, onClose }: ExtendFormProps) {
  const { api, models, refreshBalance } = useSession()
  const model = models.find(({ id }) => id === task.model)
  const schema = plainSchema(model?.inputSchema.properties?.duration ?? {})
  const choices = choicesOf(schema) ?? ['5']
  const earlier = like ? bodyOf(like) : {}
  const [prompt, setPrompt] = useState(like ? promptOf(like) : '')
  const [duration, setDuration] = useState(String(earlier.duration ?? schema.default ?? choices[0]))
  const action = useAction()
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    const opener = document.activeElement
    form.current?.querySelector('textarea')?.focus()
    return () => {
      if (opener instanceof HTMLElement) opener.focus()
    }
  }, [])
  const price = useMemo(
    // Of an extension's own extension the page does not know the size, so it names no price.
    () =>
      rules && model && parentOf(task) === null
        ? rules.extensionPrice(model, bodyOf(task).input ?? {}, duration)
        : null,
    [rules, model, task, duration],
  )
  const problems = problemsByPath(action.problem?.code === 422 ? action.problem.message : '')
  const submit = () =>
    action.run(async () => {
      const taskId = await api.extend({
        taskId: task.taskId,
        prompt,
        duration,
        callBackUrl: earlier.callBackUrl,
      } as ExtendTask)
      refreshBalance()
      onExtended(taskId)
    })
  return (
    <form
      ref={form}
      class="card extend"
      aria-label="Extend the video"
      onKeyDown={(event) => {
        if (event.key === 'Escape') onClose()
      }}
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      <PromptField
        label="What happens next?"
        rows={2}
        value={prompt}
        names={[]}
        charactersMax={model?.inputSchema.properties?.prompt?.maxLength}
        error={problems.get('prompt')}
        onChange={setPrompt}
      />
      <Choice
        label="Length of the new part"
        unit=" s"
        choices={choices}
        value={duration}
        error={problems.get('duration')}
        onChange={setDuration}
      />
      {problems.size === 0 && <Notice problem={action.problem} />}
      {problems.get('taskId') && <Notice>{problems.get('taskId')}</Notice>}
      <div class="row end">
        <button type="button" class="button" onClick={onClose}>
          Close
        </button>
        <button type="submit" class="button primary" disabled={action.busy}>
          Extend{price === null ? '' : ` for ${formatCredits(price)}`}
        </button>
      </div>
    </form>
  )
}
