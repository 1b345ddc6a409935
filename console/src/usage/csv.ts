// Tables as CSV (RFC 4180). Pure.

export function toCsv(head: string[], rows: (string | number | null)[][]): string {
  return [head, ...rows].map((row) => row.map(cell).join(',')).join('\r\n')
}

function cell(value: string | number | null): string {
  if (typeof value === 'number') return String(value)
  // A text that a spreadsheet would run as a formula is made to stay a text.
  const text = (value ?? '').replace(/^[=+\-@\t\r]/, "'$&")
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
