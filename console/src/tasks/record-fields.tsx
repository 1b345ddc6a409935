// Every field of a task's record under its own name: a field that the contract gains is on the page without an edit here.
import type { TaskRecord } from '../api-types.ts'
import { Value } from './inputs.tsx'

export function RecordFields({ task }: { task: TaskRecord }) {
  return (
    <details>
      <summary>The whole record</summary>
      <dl class="facts wide">
        {Object.entries(task).map(([name, value]) => (
          <div key={name}>
            <dt class="mono">{name}</dt>
            <dd>
              <Value value={value} />
            </dd>
          </div>
        ))}
      </dl>
    </details>
  )
}
