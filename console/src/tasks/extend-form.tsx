// A form for the next part: creates a task that continues from the last frame.
import { useId, useMemo, useState } from 'preact/hooks'
import type { TaskRecord } from '../api-types.ts'
import { formatCredits } from '../format.ts'
import { useAction } from '../hooks.ts'
import { choicesOf, plainSchema, rangeOf } from '../json-schema.ts'
import { PromptField } from '../playground/request/prompt-field.tsx'
import type { Rules } from '../playground/request/rules.ts'
import { useSession } from '../session.ts'
import { bodyOf, parentOf, problemsByPath } from '../task-facts.ts'
import { Notice, Segments } from '../ui/parts.tsx'

export interface ExtendFormProps {
  task: TaskRecord
  rules: Rules | null
  onExtended(taskId: string): void
  onClose(): void
}

export function ExtendForm({ task, rules, onExtended, onClose }: ExtendFormProps) {
  const { api, models, refreshBalance } = useSession()
  const model = models.find(({ id }) => id === task.model)
  const schema = plainSchema(model?.inputSchema.properties?.duration ?? {})
  const choices = choicesOf(schema) ?? ['5']
  const range = rangeOf(choices)
  const [prompt, setPrompt] = useState('')
  const [duration, setDuration] = useState(String(schema.default ?? choices[0]))
  const action = useAction()
  const id = useId()
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
      const taskId = await api.extend({ taskId: task.taskId, prompt, duration })
      refreshBalance()
      onExtended(taskId)
    })
  return (
    <form
      class="card extend"
      aria-label="Extend the video"
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
      <div class="field">
        <div class="field-head">
          <label for={id}>Length of the new part</label>
          {range && <output for={id}>{duration} s</output>}
        </div>
        {range ? (
          <input
            id={id}
            type="range"
            min={range.min}
            max={range.max}
            step={1}
            value={duration}
            onInput={(event) => setDuration(event.currentTarget.value)}
          />
        ) : (
          <Segments
            label="Length of the new part"
            value={duration}
            options={choices.map((value) => ({ value, label: `${value} s` }))}
            onChange={setDuration}
          />
        )}
        {problems.get('duration') && <p class="error">{problems.get('duration')}</p>}
      </div>
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
