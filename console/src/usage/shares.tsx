// Shares of a whole as bars with their figures.
import { formatCount } from '../format.ts'

export function Shares({
  label,
  parts,
}: {
  label: string
  parts: { name: string; value: number; note: string; state?: string }[]
}) {
  const top = Math.max(1, ...parts.map(({ value }) => value))
  return (
    <ul class="shares" aria-label={label}>
      {parts.map(({ name, value, note, state }) => (
        <li key={name}>
          <span class="clip">{name}</span>
          <span class="share-track" aria-hidden="true">
            <span class="share-fill" data-state={state} style={{ width: `${(value / top) * 100}%` }} />
          </span>
          <span class="figures">{formatCount(value)}</span>
          <span class="muted figures">{note}</span>
        </li>
      ))}
    </ul>
  )
}
