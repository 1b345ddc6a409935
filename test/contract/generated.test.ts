// One declaration is enough: a field of a contract schema is in OpenAPI, in the client's types, and on the
// console's task page.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'
import { z } from 'zod'
import { contractText } from '../../client/codegen/contract.ts'
import { taskRecord, videoRecord } from '../../src/contract/tasks/records.ts'
import { buildOpenApi } from '../../src/http/openapi/openapi.ts'
import { route } from '../../src/http/route.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))

test("the client's contract is what the schemas build to", () => {
  const formatted = execFileSync('npx', ['biome', 'format', '--stdin-file-path', 'client/src/contract.ts'], {
    cwd: root,
    input: contractText(),
    encoding: 'utf8',
  })
  assert.equal(readFileSync(`${root}client/src/contract.ts`, 'utf8'), formatted, 'run `npm run build:contract`')
})

describe('a field that is added to a schema', () => {
  const grown = taskRecord
    .extend({ mood: z.string().meta({ description: 'How it feels.' }) })
    .meta({ id: 'GrownRecord', description: 'A record with one field more.' })

  test('is in OpenAPI', () => {
    const grownRoute = route({
      endpoint: 'GET /grown',
      operationId: 'getGrown',
      summary: 'Read it',
      description: 'Reads it.',
      tag: 'Tasks',
      access: 'open',
      answer: grown,
      handler: async () => assert.fail('is not called'),
    })
    const document = buildOpenApi([grownRoute], '1.0.0')
    const { schemas } = document.components as { schemas: Record<string, { properties: object; required: string[] }> }
    assert.ok('mood' in schemas.GrownRecord!.properties)
    assert.ok(schemas.GrownRecord!.required.includes('mood'))
  })

  test("is in the client's types, with its description", () => {
    const text = contractText({ GrownRecord: grown })
    assert.match(
      text,
      /\nexport type GrownRecord = TaskRecord & \{\n {2}\/\*\* How it feels\. \*\/\n {2}mood: string\n\}\n/,
    )
  })

  test('must be returned by the handler', () => {
    route({
      endpoint: 'GET /grown',
      access: 'open',
      answer: z.object({ mood: z.string() }),
      // @ts-expect-error a handler that returns another shape does not compile
      handler: async () => ({ mode: 'calm' }),
    })
  })

  test("is on the console's task page", { timeout: 60_000 }, async () => {
    const { RecordFields } = await loadComponent('console/src/tasks/record-fields.tsx')
    const page = await readFile(`${root}console/src/tasks/task-page.tsx`, 'utf8')
    assert.match(page, /<RecordFields task=\{task\} \/>/)
    const texts = textsOf(RecordFields!({ task: { taskId: 't1', mood: 'calm', video: { seconds: 5, grain: 'fine' } } }))
    for (const text of ['mood', 'calm', 'fine']) assert.ok(texts.includes(text), `${text}: ${texts}`)
  })
})

test('a wire field of a record is declared in the contract, and by hand nowhere else', () => {
  // Names of two words belong to the wire alone; others, such as `state`, and these two are words of the program too.
  const fields = [taskRecord, videoRecord].flatMap(({ shape }) => Object.keys(shape))
  const wireNames = [...new Set(fields)].filter(
    (name) => /[A-Z]/.test(name) && !['taskId', 'ignoredFields'].includes(name),
  )
  assert.ok(wireNames.length > 12)
  const declaration = `^ +(readonly )?(${wireNames.join('|')})\\??: (string|number|boolean|z\\.|epochMs)`
  const found = execFileSync('git', ['grep', '-lE', declaration, '--', 'src', 'client/src', 'console/src'], {
    cwd: root,
    encoding: 'utf8',
  })
  const elsewhere = found
    .trim()
    .split('\n')
    .filter((file) => !file.startsWith('src/contract/'))
  assert.deepEqual(elsewhere, ['client/src/contract.ts'])
})

/** A component of the console, built by the console's own settings. */
async function loadComponent(path: string): Promise<Record<string, (props: object) => unknown>> {
  const built = await build({
    configFile: `${root}console/vite.config.ts`,
    build: { ssr: `${root}${path}`, write: false, cssCodeSplit: false },
    ssr: { noExternal: true },
  })
  const { output } = (Array.isArray(built) ? built[0]! : built) as { output: { code?: string }[] }
  return import(`data:text/javascript;base64,${Buffer.from(output[0]!.code!).toString('base64')}`)
}

/** Every text below an element, with the components that it is made of called. */
function textsOf(node: unknown): string[] {
  if (node === null || node === undefined || typeof node === 'boolean') return []
  if (Array.isArray(node)) return node.flatMap(textsOf)
  if (typeof node !== 'object') return [String(node)]
  const { type, props } = node as { type: unknown; props: { children?: unknown } }
  return textsOf(typeof type === 'function' && type.name !== 'Fragment' ? type(props) : props.children)
}
