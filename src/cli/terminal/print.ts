// How commands show things to people: tables that fit the terminal, colour where there is one, times, counts.
import { styleText } from 'node:util'
import type { CommandResult } from '../command.ts'
import { columnsOf, cutTo, fillOf } from './columns.ts'

type Cell = string | number | null

const columnWidthMin = 8
/** The most of a text that a row of several lines shows, unless it is in the last column. */
const foldedWidthMax = 36
const gap = '  '

/**
 * Columns as wide as their widest cell, numbers aligned to the right. On a terminal that is too narrow, the widest
 * columns of text are cut; where that is not enough, each row takes several lines. Ids and times are always whole,
 * because others are typed or compared with them. What is piped elsewhere has one line per row, and nothing is cut.
 */
export function table(headers: string[], rows: Cell[][], width = terminalWidth()): string {
  const cells = [headers, ...rows.map((row) => row.map((cell) => harmless(String(cell ?? '-'))))]
  const isNumeric = headers.map((_, column) => rows.length > 0 && rows.every((row) => typeof row[column] === 'number'))
  const natural = headers.map((_, column) => Math.max(...cells.map((row) => columnsOf(row[column]!))))
  /** To which width each column may be cut. */
  const least = natural.map((size, column) => {
    const whole = cells.flatMap((row) => (wholeText.test(row[column]!) ? [row[column]!.length] : []))
    return isNumeric[column] ? size : Math.min(size, Math.max(columnWidthMin, ...whole))
  })
  const fitting = fitted(natural, least, width)
  const widths =
    fitting ??
    natural.map((size, column) => {
      const isLast = column === headers.length - 1
      return Math.min(size, isLast ? width - gap.length : Math.max(foldedWidthMax, least[column]!))
    })
  const lines = fitting ? [headers.map((_, column) => column)] : folded(widths, width)
  return cells
    .flatMap((row, index) =>
      lines.map((columns, line) => {
        const shown = columns.map((column, place) => {
          const cell = row[column]!
          const size = widths[column]!
          const cut = cutTo(cell, size)
          const fill = fillOf(cut, size)
          const padded = isNumeric[column] ? fill + cut : cut + fill
          return index === 0
            ? bold(padded)
            : coloured(cell, place === columns.length - 1 && !isNumeric[column] ? cut : padded)
        })
        return `${line === 0 ? '' : gap}${shown.join(gap)}`.trimEnd()
      }),
    )
    .join('\n')
}

/** A table that is read to the end, such as help: on a narrow terminal its last column is wrapped, and nothing is cut. */
export function proseTable(headers: string[], rows: string[][], width = terminalWidth()): string {
  const last = headers.length - 1
  const before = headers
    .slice(0, last)
    .reduce(
      (sum, header, column) =>
        sum + gap.length + Math.max(columnsOf(header), ...rows.map((row) => columnsOf(row[column]!))),
      0,
    )
  const max = Math.max(columnWidthMin, width - before)
  const lines = rows.flatMap((row) =>
    wrapped(row[last]!, max).map((text, line) => [...row.slice(0, last).map((cell) => (line === 0 ? cell : '')), text]),
  )
  return table(headers, lines, Number.POSITIVE_INFINITY)
}

/** Lines of at most this many characters, divided between words, or after the commas of a list; a longer word stays whole. */
export function wrapped(text: string, charactersMax: number): string[] {
  const lines: string[] = []
  for (const part of text.match(/[^\s,]*(?:,|\s+|$)/g) ?? []) {
    const line = lines.at(-1)
    if (line !== undefined && `${line}${part}`.trimEnd().length <= charactersMax) lines[lines.length - 1] = line + part
    else lines.push(part)
  }
  return lines.map((line) => line.trimEnd()).filter((line, index) => line !== '' || index === 0)
}

/** An id, also as in `sub of ID`, or a time. */
const wholeText = /^(\w+ ){0,2}[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$|^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/

/** Null where cutting texts is not enough. */
function fitted(widths: number[], least: number[], max: number): number[] | null {
  const shrunk = [...widths]
  const total = () => shrunk.reduce((sum, size) => sum + size + gap.length, -gap.length)
  while (total() > max) {
    const widest = shrunk.reduce(
      (best, size, column) => (size > least[column]! && size > (shrunk[best] ?? 0) ? column : best),
      -1,
    )
    if (widest === -1) return null
    shrunk[widest]!--
  }
  return shrunk
}

/** Which columns stand on each line of a row; all lines but the first are indented by a gap. */
function folded(widths: number[], max: number): number[][] {
  const lines: number[][] = [[]]
  let used = 0
  for (const [column, size] of widths.entries()) {
    if (used > 0 && used + gap.length + size > max) {
      lines.push([])
      used = 0
    }
    lines.at(-1)!.push(column)
    used += gap.length + size
  }
  return lines
}

export const terminalWidth = () => (process.stdout.isTTY ? process.stdout.columns : Number.POSITIVE_INFINITY)

const stdout = { stream: process.stdout }
export const bold = (text: string) => (process.stdout.isTTY ? styleText('bold', text, stdout) : text)

type Colour = 'green' | 'red' | 'yellow' | 'cyan' | 'gray'

const colours: Record<string, Colour> = {
  success: 'green',
  delivered: 'green',
  active: 'green',
  on: 'green',
  ok: 'green',
  fail: 'red',
  failed: 'red',
  revoked: 'red',
  off: 'red',
  PROBLEM: 'red',
  wait: 'yellow',
  queueing: 'yellow',
  pending: 'yellow',
  expired: 'yellow',
  WARNING: 'yellow',
  generating: 'cyan',
  canceled: 'gray',
}

/** Colours a word that names a state; other texts stay as they are. No colours with NO_COLOR or in a pipe. */
function coloured(word: string, text: string): string {
  const colour = Object.hasOwn(colours, word) ? colours[word] : undefined
  return colour && process.stdout.isTTY ? styleText(colour, text, stdout) : text
}

/**
 * A client's text, such as a prompt, without characters that control the terminal or change the writing direction. Line
 * breaks and tabs stay.
 */
export function harmless(text: string): string {
  return text.replace(/(?![\n\t])[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu, '\ufffd')
}

/** UTC, to the second. */
export function timeText(ms: number | null): string {
  return ms === null ? '-' : new Date(ms).toISOString().slice(0, 19).replace('T', ' ')
}

export function countText(count: number, noun: string, plural = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : plural}`
}

/** Accounts and keys that have secrets of their own. */
export function ownersText(count: number): string {
  return countText(count, 'account or key', 'accounts and keys')
}

/** The result of a command that lists things; `none` is printed where there are none. */
export function shownList<T>(items: T[], none: string, headers: string[], cellsOf: (item: T) => Cell[]): CommandResult {
  return { data: { items }, text: items.length === 0 ? none : table(headers, items.map(cellsOf)) }
}

export function bytesText(bytes: number): string {
  const units = ['B', 'KB', 'MB', 'GB', 'TB']
  const power = Math.min(units.length - 1, Math.floor(Math.log2(Math.max(1, bytes)) / 10))
  return `${(bytes / 1024 ** power).toFixed(power < 2 ? 0 : 1)} ${units[power]}`
}
