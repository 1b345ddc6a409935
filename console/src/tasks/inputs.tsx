// The accepted request of a task, field by field; every value is shown as text.

import { isObject } from '../../../client/src/records.ts'
import type { TaskRecord } from '../api-types.ts'
import { fieldLabel, localFileUrl } from '../format.ts'
import { bodyOf, parentOf } from '../task-facts.ts'
import { CopyButton } from '../ui/copy-button.tsx'
import { CodeBlock } from '../ui/parts.tsx'

export function TaskInputs({ task }: { task: TaskRecord }) {
  const body = bodyOf(task)
  const { input, model: _model, ...others } = body
  const fields = parentOf(task) === null ? { ...input, ...others } : others
  const json = JSON.stringify(parentOf(task) === null ? body : others, null, 2)
  return (
    <>
      <dl class="facts wide">
        {Object.entries(fields).map(([name, value]) => (
          <div key={name}>
            <dt>{fieldLabel(name)}</dt>
            <dd>
              <Value value={value} />
            </dd>
          </div>
        ))}
        {task.ignoredFields.length > 0 && (
          <div>
            <dt>Ignored fields</dt>
            <dd class="mono">{task.ignoredFields.join(', ')}</dd>
          </div>
        )}
      </dl>
      <details>
        <summary>The body as JSON</summary>
        <div class="row end">
          <CopyButton text={json} />
        </div>
        <CodeBlock code={json} label="The accepted body" />
      </details>
    </>
  )
}

export function Value({ value }: { value: unknown }) {
  if (Array.isArray(value)) {
    if (value.length === 0) return <span class="muted">none</span>
    return (
      <ol class="value-list">
        {value.map((item, index) => (
          <li key={index}>
            <Value value={item} />
          </li>
        ))}
      </ol>
    )
  }
  if (isObject(value)) {
    return (
      <dl class="facts">
        {Object.entries(value).map(([name, item]) => (
          <div key={name}>
            <dt>{fieldLabel(name)}</dt>
            <dd>
              <Value value={item} />
            </dd>
          </div>
        ))}
      </dl>
    )
  }
  if (typeof value === 'boolean') return <>{value ? 'yes' : 'no'}</>
  if (value === null || value === '') return <span class="muted">empty</span>
  const text = String(value)
  const local = /^https?:\/\//.test(text) ? localFileUrl(text) : null
  if (local && /\.(jpe?g|png)$/i.test(local)) {
    return (
      <a class="value-picture" href={local} target="_blank" rel="noreferrer">
        <img src={local} alt="" loading="lazy" onError={(event) => event.currentTarget.remove()} />
        <span class="mono clip">{text}</span>
      </a>
    )
  }
  if (/^https?:\/\//.test(text)) return <span class="mono break">{text}</span>
  return (
    <span class="break" dir="auto">
      {text}
    </span>
  )
}
