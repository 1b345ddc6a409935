// A request as code to copy. Pure; texts of the request are quoted for each language.
import type { CreateTaskBody } from '../api-types.ts'

export type Language = 'curl' | 'TypeScript' | 'Python'
export const languages: readonly Language[] = ['curl', 'TypeScript', 'Python']

export function requestCode(language: Language, baseUrl: string, body: CreateTaskBody): string {
  const url = `${baseUrl}/api/v1/jobs/createTask`
  const json = JSON.stringify(body, null, 2)
  switch (language) {
    case 'curl':
      return [
        `curl ${shellQuote(url)} \\`,
        '  -H "Authorization: Bearer $DAILIES_API_KEY" \\',
        "  -H 'Content-Type: application/json' \\",
        `  -d ${shellQuote(json)}`,
      ].join('\n')
    case 'TypeScript':
      return [
        `const response = await fetch(${JSON.stringify(url)}, {`,
        "  method: 'POST',",
        '  headers: {',
        // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the code that is shown
        '    authorization: `Bearer ${process.env.DAILIES_API_KEY}`,',
        "    'content-type': 'application/json',",
        '  },',
        `  body: JSON.stringify(${indent(json, 2)}),`,
        '})',
        'const { data } = await response.json()',
        'console.log(data.taskId)',
      ].join('\n')
    case 'Python':
      return [
        'import os, requests',
        '',
        'response = requests.post(',
        `    ${JSON.stringify(url)},`,
        '    headers={"Authorization": f"Bearer {os.environ[\'DAILIES_API_KEY\']}"},',
        `    json=${pythonLiteral(body, 4)},`,
        ')',
        'print(response.json()["data"]["taskId"])',
      ].join('\n')
  }
}

const shellQuote = (text: string) => `'${text.replaceAll("'", "'\\''")}'`

const indent = (text: string, spaces: number) => text.replaceAll('\n', `\n${' '.repeat(spaces)}`)

function pythonLiteral(value: unknown, depth: number): string {
  if (value === null || value === undefined) return 'None'
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  if (typeof value !== 'object') return JSON.stringify(value)
  const pad = ' '.repeat(depth + 4)
  const entries = Array.isArray(value)
    ? value.map((item) => pythonLiteral(item, depth + 4))
    : Object.entries(value).map(([name, item]) => `${JSON.stringify(name)}: ${pythonLiteral(item, depth + 4)}`)
  const [open, close] = Array.isArray(value) ? '[]' : '{}'
  return entries.length === 0
    ? `${open}${close}`
    : `${open}\n${entries.map((entry) => `${pad}${entry},\n`).join('')}${' '.repeat(depth)}${close}`
}
