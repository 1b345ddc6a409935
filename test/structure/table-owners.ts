// Reads the SQL in the source and finds statements that write a table which their folder does not own.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Table → the folder of src/ that writes it, or a deeper folder. */
export type Owners = Record<string, string>

export interface Write {
  table: string
  line: number
}

const writes = [
  /\binsert\s+into\s+([a-z_]+)/g,
  /\bupdate\s+([a-z_]+)\s+(?:as\s+[a-z]+\s+)?set\b/g,
  /\bdelete\s+from\s+([a-z_]+)/g,
  /\.insert\(\s*'([a-z_]+)'/g,
]

/** Every write in a source text. Comments are not code. */
export function writesOf(text: string): Write[] {
  const code = text.replace(/\/\*[\s\S]*?\*\//g, blank).replace(/(^|\s)\/\/[^\n]*/g, blank)
  return writes.flatMap((pattern) =>
    [...code.matchAll(pattern)].map((match) => ({
      table: match[1]!,
      line: code.slice(0, match.index).split('\n').length,
    })),
  )
}

/** Keeps the lines, so that numbers stay right. */
const blank = (comment: string) => comment.replace(/[^\n]/g, ' ')

export function findForeignWrites(files: Map<string, string>, owners: Owners): string[] {
  const problems: string[] = []
  for (const [file, text] of files) {
    for (const { table, line } of writesOf(text)) {
      const owner = owners[table]
      if (owner === undefined) problems.push(`${file}:${line}: writes ${table}, which has no owner in the list`)
      else if (!file.startsWith(`${owner}/`)) problems.push(`${file}:${line}: writes ${table}, which ${owner}/ owns`)
    }
  }
  return problems
}

export function readSources(folder: string): Map<string, string> {
  const files = globSync('**/*.ts', { cwd: folder })
  return new Map(files.map((file) => [file, readFileSync(join(folder, file), 'utf8')]))
}
