// Writes the list of limits into SECURITY.md from the table in src/limits: `npm run build:limits`.
import { readFileSync, writeFileSync } from 'node:fs'
import { bounds } from '../../src/limits/bounds.ts'
import { debts, type LimitText, slots, windows } from '../../src/limits/table.ts'

const page = new URL('../../SECURITY.md', import.meta.url)
const rows: LimitText[] = [windows, debts, slots].flatMap((group) => Object.values<LimitText>(group)).concat(bounds)

/** SECURITY.md with the list as it follows from the table. */
export function securityPage(): string {
  const text = readFileSync(page, 'utf8')
  const lines = rows.map(
    ({ what, limit, beyond, setting = '' }) => `| ${what} | ${limit} | ${beyond} |${setting && ` ${setting}`} |`,
  )
  const list = ['| what | limit | beyond it | setting |', '|---|---|---|---|', ...lines].join('\n')
  return text.replace(/(\n## Limits\n\n)(?:\|.*\n)+/, (_, title) => `${title}${list}\n`)
}

if (import.meta.main) writeFileSync(page, securityPage())
