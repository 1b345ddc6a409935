// How commands show things to people: aligned tables, times, counts.

/** Columns as wide as their widest cell; columns of numbers are aligned to the right. */
export function table(headers: string[], rows: (string | number | null)[][]): string {
  const cells = [headers, ...rows.map((row) => row.map((cell) => String(cell ?? '-')))]
  const widths = headers.map((_, column) => Math.max(...cells.map((row) => row[column]!.length)))
  const isNumeric = headers.map((_, column) => rows.length > 0 && rows.every((row) => typeof row[column] === 'number'))
  return cells
    .map((row) =>
      row
        .map((cell, column) => (isNumeric[column] ? cell.padStart(widths[column]!) : cell.padEnd(widths[column]!)))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

/** UTC, to the second. */
export function timeText(ms: number | null): string {
  return ms === null ? '-' : new Date(ms).toISOString().slice(0, 19).replace('T', ' ')
}

export function countText(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}

export function bytesText(bytes: number): string {
  const units = ['B', 'KB', 'MB', 'GB', 'TB']
  const power = Math.min(units.length - 1, Math.floor(Math.log2(Math.max(1, bytes)) / 10))
  return `${(bytes / 1024 ** power).toFixed(power < 2 ? 0 : 1)} ${units[power]}`
}
