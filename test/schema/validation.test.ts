// The words for schemas of any route, the order and bounds of problems, and the list of unknown fields.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { z } from 'zod'
import { problemText } from '../../src/schema/problem.ts'
import { unknownFields } from '../../src/schema/unknown-fields.ts'
import { cutName, describeIssues, fieldPath, listOf, parseWith, withRules } from '../../src/schema/validation.ts'

function problems(schema: z.ZodType, value: unknown, pathPrefix = ''): string[] {
  const result = parseWith(schema, value, pathPrefix)
  return result.ok ? [] : result.problems.map(problemText)
}

test('plain schemas of other routes are described in the same words', () => {
  const cases: [schema: z.ZodType, value: unknown, words: string][] = [
    [z.string(), undefined, 'is required'],
    [z.string(), null, 'is required'],
    [z.string(), 5, 'must be a string'],
    [z.number(), 'x', 'must be a number'],
    [z.int(), 1.5, 'must be a whole number'],
    [z.boolean(), 1, 'must be true or false'],
    [z.array(z.string()), {}, 'must be an array'],
    [z.array(z.string()).max(2), 'a long text', 'must be an array'],
    [z.string().min(1), { length: { toString: 1 } }, 'must be a string'],
    [z.array(z.string()).max(2), { length: [{ valueOf: 1, toString: 1 }] }, 'must be an array'],
    [z.object({}), [], 'must be a JSON object'],
    [z.record(z.string(), z.string()), 'x', 'must be a JSON object'],
    [z.string().min(1), '', 'must not be empty'],
    [z.string().min(3), '😀', 'must be at least 3 characters (it has 1)'],
    [z.string().max(3), '😀😀😀😀', 'must be at most 3 characters (it has 4)'],
    [z.number().min(1), 0, 'must be at least 1'],
    [z.number().max(9), 10, 'must be at most 9'],
    [z.array(z.string()).max(1), ['a', 'b'], 'must have at most 1 item (it has 2)'],
    [z.array(z.string()).min(2), ['a'], 'must have at least 2 items (it has 1)'],
    [z.enum(['hour', 'day', 'total']), 'year', 'must be "hour", "day" or "total"'],
    [z.enum(['hour', 'day']), undefined, 'is required'],
    [z.literal('a'), 'b', 'must be "a"'],
    [z.union([z.string(), z.number()]), true, 'must be a string or a number'],
    [z.union([z.string(), z.object({ a: z.string() })]), { a: 1 }, 'has none of the allowed forms'],
    [z.string().regex(/^a/), 'b', 'does not have the right form'],
    [z.strictObject({}), { a: 1 }, 'has unknown fields: a'],
  ]
  for (const [schema, value, words] of cases) {
    assert.deepEqual(problems(z.object({ field: schema }), { field: value }), [`field: ${words}`])
  }
})

test('the value itself is called by its prefix, or body', () => {
  const schema = z.object({ a: z.string() })
  for (const value of [undefined, null, 5, 'x', []]) {
    assert.deepEqual(problems(schema, value), ['body: must be a JSON object'])
  }
  assert.deepEqual(problems(schema, undefined, 'input'), ['input: is required'])
  assert.deepEqual(problems(schema, 5, 'input'), ['input: must be a JSON object'])
  assert.deepEqual(problems(schema, {}), ['a: is required'])
  assert.deepEqual(problems(schema, {}, 'input'), ['input.a: is required'])
})

test('a good value comes back typed', () => {
  const result = parseWith(z.object({ limit: z.coerce.number().default(20) }), { limit: '5', other: 1 }, '')
  assert.deepEqual(result, { ok: true, value: { limit: 5 } })
})

test('problems follow the schema, one line for each field', () => {
  const schema = withRules(
    z.object({
      first: z.number().optional(),
      list: z.array(z.object({ a: z.string(), b: z.string() })),
      second: z.string().min(8).regex(/^x/),
    }),
    (fields, sound, report) => {
      report(['first'], 'is odd')
      report(['first'], 'is odd')
      if (sound('second')) report(['second'], 'never said')
      if (sound('first')) report(['list'], `goes with ${fields.first}`)
    },
  )
  assert.deepEqual(problems(schema, { second: 'short', list: [{ b: '', a: '' }, { a: 1 }] }), [
    'first: is odd',
    'list: goes with undefined',
    'list[1].a: must be a string',
    'list[1].b: is required',
    'second: must be at least 8 characters (it has 5) and does not have the right form',
  ])
  assert.deepEqual(problems(schema, null), ['body: must be a JSON object'])
})

test('many problems are counted, not listed', () => {
  const found = problems(z.object({ list: z.array(z.string()) }), { list: Array(1000).fill(0) })
  assert.equal(found.length, 101)
  assert.equal(found[99], 'list[99]: must be a string')
  assert.equal(found[100], 'and 900 more')
})

test('issues without their schema keep their order', () => {
  const parsed = z.object({ b: z.string(), a: z.string() }).safeParse({})
  assert.ok(!parsed.success)
  const found = describeIssues(parsed.error.issues, 'query')
  assert.deepEqual(
    found.map(({ field }) => field),
    ['query.b', 'query.a'],
  )
})

test('huge values and names are never echoed', () => {
  const schema = z.record(z.string(), z.enum(['a']))
  const [problem] = problems(schema, { ['k'.repeat(100_000)]: 'v'.repeat(100_000) })
  assert.equal(problem, `${'k'.repeat(64)}…: must be "a"`)
  assert.equal(cutName('a\nb\0'), 'a\ufffdb\ufffd')
  assert.equal(cutName('😀'.repeat(65)), `${'😀'.repeat(64)}…`)
  assert.equal(cutName('😀'.repeat(64)), '😀'.repeat(64))
})

test('paths and lists', () => {
  assert.equal(fieldPath([], ''), 'body')
  assert.equal(fieldPath(['a', 1, 2, 'b'], ''), 'a[1][2].b')
  assert.equal(fieldPath([0, 'b'], 'input'), 'input[0].b')
  assert.equal(listOf(['a']), '"a"')
  assert.equal(listOf([1, 'b', 3]), '1, "b" or 3')
})

const body = z.object({
  model: z.string(),
  input: z.object({ list: z.array(z.object({ a: z.string() })).nullish(), texts: z.array(z.string()).optional() }),
})

test('unknown fields are listed by their path', () => {
  const sent = {
    model: 'x',
    foo: 1,
    input: { bar: {}, texts: ['a'], list: [{ a: '', baz: 1 }, {}, { qux: { deep: 1 } }] },
  }
  assert.deepEqual(unknownFields(body, sent), ['foo', 'input.bar', 'input.list[0].baz', 'input.list[2].qux'])
  assert.deepEqual(unknownFields(body, { model: 'x', input: { list: null } }), [])
  for (const value of [null, 5, 'x', [], [{ a: 1 }], { input: 5 }]) assert.deepEqual(unknownFields(body, value), [])
})

test('unknown fields are found safely', () => {
  const sent = JSON.parse('{"__proto__": {"input": 1}, "constructor": 1, "toString": 2, "input": {"__proto__": 3}}')
  assert.deepEqual(unknownFields(body, sent), ['__proto__', 'constructor', 'toString', 'input.__proto__'])
  const many = Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`field${index}`, index]))
  assert.equal(unknownFields(body, many).length, 100)
  assert.equal(unknownFields(body, { input: { list: Array(5000).fill(many) } }).length, 100)
  assert.deepEqual(unknownFields(body, { ['x'.repeat(1000)]: 1 }), [`${'x'.repeat(64)}…`])
  let deep: unknown = 1
  for (let level = 0; level < 100_000; level++) deep = [deep]
  assert.deepEqual(unknownFields(body, { deep, input: { list: deep } }), ['deep'])
})

test('a number beyond every bound names the bound of its field only', () => {
  const schema = z.object({ credits: z.int().min(0).max(1000), count: z.int() })
  assert.deepEqual(problems(schema, { credits: 1e30, count: 1e30 }), [
    'credits: must be at most 1000',
    'count: must be a whole number, at most 9007199254740991',
  ])
  assert.deepEqual(problems(schema, { credits: -1e30, count: 1 }), ['credits: must be at least 0'])
})

test('an empty string in an optional field means that it is left out', () => {
  const schema = z.object({
    size: z.enum(['s', 'm']).nullish(),
    count: z.number().optional(),
    name: z.string().min(1, 'must not be empty'),
    list: z.array(z.object({ on: z.boolean().nullish() })).optional(),
  })
  const sent = { size: '', count: '', name: 'n', list: [{ on: '' }, { on: true }] }
  const parsed = parseWith(schema, sent, '')
  assert.deepEqual(parsed, { ok: true, value: { name: 'n', list: [{}, { on: true }] } })
  assert.deepEqual(sent, { size: '', count: '', name: 'n', list: [{ on: '' }, { on: true }] }, 'as it was sent')
  assert.deepEqual(problems(schema, { name: '' }), ['name: must not be empty'])
})
