// One declaration is enough: a field of a contract schema is in OpenAPI, in the client's types, and on the record that
// the console's task page reads.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import { contractText } from '../../client/codegen/contract.ts'
import { taskRecord } from '../../src/contract/tasks/records.ts'
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
      method: 'GET',
      path: '/grown',
      docs: { operationId: 'getGrown', summary: 'Read it', description: 'Reads it.', tag: 'Tasks' },
      access: 'open',
      answer: grown,
      handler: async () => assert.fail('is not called'),
    })
    const document = buildOpenApi([grownRoute], { publicUrl: 'http://127.0.0.1', version: '1.0.0' })
    const { schemas } = document.components as { schemas: Record<string, { properties: object; required: string[] }> }
    assert.ok('mood' in schemas.GrownRecord!.properties)
    assert.ok(schemas.GrownRecord!.required.includes('mood'))
  })

  test("is in the client's types, with its description", () => {
    const text = contractText({ GrownRecord: grown })
    const type = /export type GrownRecord = (\{[\s\S]*?\n\})/.exec(text)![1]!
    assert.match(type, /\/\*\* How it feels\. \*\/\n {2}mood: string\n/)
    // The fields before it stay the same.
    const before = /export type TaskRecord = (\{[\s\S]*?\n\})/.exec(text)![1]!
    assert.ok(type.startsWith(before.slice(0, -2)))
  })

  test('must be returned by the handler', () => {
    route({
      method: 'GET',
      path: '/grown',
      access: 'open',
      answer: z.object({ mood: z.string() }),
      // @ts-expect-error a handler that returns another shape does not compile
      handler: async () => ({ mode: 'calm' }),
    })
  })

  test("reaches the console's task page", () => {
    // The page's types are the client's contract; nothing in between lists the fields of a record.
    const types = readFileSync(`${root}console/src/api-types.ts`, 'utf8')
    assert.match(types, /TaskRecord,[\s\S]*from '\.\.\/\.\.\/client\/src\/contract\.ts'/)
    const fields = Object.keys(taskRecord.shape)
    const copies = execFileSync('git', ['grep', '-lE', `^ +${fields[3]}: string`, '--', 'client/src', 'console/src'], {
      cwd: root,
      encoding: 'utf8',
    })
    assert.deepEqual(copies.trim().split('\n'), ['client/src/contract.ts'])
  })
})
