// A list of any length in which only the rows on the screen exist. Rows have one height; the page itself scrolls.
import type { ComponentChildren } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'

interface WindowedListProps<Item> {
  label: string
  items: Item[]
  rowPx: number
  keyOf(item: Item): string
  row(item: Item): ComponentChildren
  /** Whether more items may come, and the call for them when the end is near. */
  more: boolean
  onNearEnd(): void
}

const overscanRows = 6
const nearEndScreens = 2

export function WindowedList<Item>(props: WindowedListProps<Item>) {
  const box = useRef<HTMLUListElement>(null)
  const [range, setRange] = useState({ first: 0, last: 30 })
  /** The row at the top of the screen, once the list was scrolled. */
  const topRow = useRef<{ key: string; place: number } | null>(null)
  const { items, rowPx, keyOf, more, onNearEnd } = props
  useLayoutEffect(() => {
    const before = topRow.current
    if (before === null) return
    // Rows that come or go above the screen must not move those on it.
    const place = items.findIndex((item) => keyOf(item) === before.key)
    if (place !== -1) scrollBy({ top: (place - before.place) * rowPx, behavior: 'instant' })
  }, [items])
  useEffect(() => {
    const look = () => {
      const top = -(box.current?.getBoundingClientRect().top ?? 0)
      const place = Math.floor(top / rowPx)
      const item = items[place]
      topRow.current = item === undefined ? null : { key: keyOf(item), place }
      const first = Math.max(0, Math.floor(top / rowPx) - overscanRows)
      const last = Math.min(items.length, Math.ceil((top + innerHeight) / rowPx) + overscanRows)
      setRange((before) => (before.first === first && before.last === last ? before : { first, last }))
      if (more && items.length * rowPx - top < innerHeight * (1 + nearEndScreens)) onNearEnd()
    }
    look()
    addEventListener('scroll', look, { passive: true })
    addEventListener('resize', look)
    return () => {
      removeEventListener('scroll', look)
      removeEventListener('resize', look)
    }
  }, [items, rowPx, more, onNearEnd])
  return (
    <ul ref={box} class="windowed" aria-label={props.label} style={{ height: `${items.length * rowPx}px` }}>
      {items.slice(range.first, range.last).map((item, index) => (
        <li
          key={keyOf(item)}
          class="windowed-row"
          aria-setsize={more ? -1 : items.length}
          aria-posinset={range.first + index + 1}
          style={{ height: `${rowPx}px`, transform: `translateY(${(range.first + index) * rowPx}px)` }}
        >
          {props.row(item)}
        </li>
      ))}
    </ul>
  )
}
