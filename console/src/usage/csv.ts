// Tables as CSV (RFC 4180). Pure.

export function toCsv(head: string[], rows: (string | number | null)[][]): string {
  return [head, ...rows].map((row) => row.map(cell).join(',')).join('\r\n')
}

function cell(value: string | number | null): string {
  if (typeof value === 'number') return String(value)
  // Keeps a spreadsheet from running a text as a formula.
  const text = (value ?? '').replace(/^[=+\-@\t\r]/, "'$&")
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
