// A table that scrolls sideways where there is no room for it, also by keyboard. Its children are the rows.
import type { ComponentChildren } from 'preact'

/** Numbers are aligned to the right; a hidden name is only for screen readers. */
export type Column = string | { number: string } | { hidden: string }

export function Table(props: { label: string; name?: string; columns: Column[]; children: ComponentChildren }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section class={`table-box ${props.name ?? ''}`} tabIndex={0} aria-label={`${props.label}, table`}>
      <table>
        <thead>
          <tr>{props.columns.map(headOf)}</tr>
        </thead>
        <tbody>{props.children}</tbody>
      </table>
    </section>
  )
}

function headOf(column: Column) {
  const [name] = typeof column === 'string' ? [column] : Object.values(column)
  const isNumber = typeof column === 'object' && 'number' in column
  const isHidden = typeof column === 'object' && 'hidden' in column
  return (
    <th key={name} scope="col" class={isNumber ? 'number' : undefined}>
      {isHidden ? <span class="visually-hidden">{name}</span> : name}
    </th>
  )
}
