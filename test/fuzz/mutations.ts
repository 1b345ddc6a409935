// Ways to spoil a request: values of wrong types, missing and extra fields, huge and odd texts, broken JSON, strange
// headers. Each is a function of numbers that the test draws, so that a seed brings the same request again.
import fc from 'fast-check'

type Container = Record<string, unknown> | unknown[]

/** Texts that have broken parsers, databases and logs before. */
const oddTexts = [
  '\0',
  'a\0b',
  '\ud800',
  'x\udc00y',
  '\u202e\u2066',
  '\uffff\ufeff',
  '__proto__',
  'constructor',
  "'; drop table tasks; --",
  '{{7*7}}%{7*7}',
  '../../etc/passwd',
  'http://user:pw@[::1',
  'http://127.0.0.1:9/\ud800',
  'javascript:alert(1)',
  '1e999',
  '-0',
  'NaN',
  ' 5 ',
  'A'.repeat(5000),
  '😀'.repeat(2600),
  'e\u0301'.repeat(2000),
]

const oddValues: unknown[] = [
  null,
  true,
  false,
  0,
  -1,
  1.5,
  1e308,
  -1e-308,
  2 ** 53,
  -(2 ** 63),
  1e21,
  '',
  [],
  {},
  [[]],
  [null],
  { length: 1e9 },
  { toString: 1 },
  { __html: 1 },
  Array(2000).fill(0),
  Array(30).fill('http://127.0.0.1:9/a.png'),
  Object.fromEntries(Array.from({ length: 500 }, (_, i) => [`k${i}`, i])),
  ...oddTexts,
]

const oddNames = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  '',
  '\0',
  '\ud800',
  'a.b',
  '0',
  'é'.repeat(300),
]

/** Where in the tree, what is done there, and which odd thing is used. */
interface Spoil {
  where: number
  what: 'replace' | 'remove' | 'add' | 'wrap' | 'unwrap' | 'repeat'
  odd: number
}

export const spoil: fc.Arbitrary<Spoil> = fc.record({
  where: fc.nat(),
  what: fc.constantFrom<Spoil['what'][]>('replace', 'replace', 'remove', 'add', 'wrap', 'unwrap', 'repeat'),
  odd: fc.nat(),
})

export function spoiled(value: unknown, spoils: readonly Spoil[]): unknown {
  return spoils.reduce((current, { where, what, odd }) => {
    const root = { value: structuredClone(current) }
    const places = placesIn(root, [])
    const { holder, name } = places[where % places.length]!
    act(holder, name, what, odd)
    return root.value
  }, value)
}

function act(holder: Container, name: string | number, what: Spoil['what'], odd: number): void {
  const target = holder as Record<string | number, unknown>
  const current = target[name]
  const oddValue = oddValues[odd % oddValues.length]
  if (what === 'remove' && !Array.isArray(holder)) delete target[name]
  else if (what === 'wrap') target[name] = odd % 2 ? [current] : { value: current }
  else if (what === 'unwrap' && typeof current === 'object' && current !== null)
    target[name] = Object.values(current)[0]
  else if (what === 'repeat')
    target[name] = Array.isArray(current) ? Array(7).fill(current).flat().slice(0, 200) : [current, current]
  else if (what === 'add' && typeof current === 'object' && current !== null && !Array.isArray(current)) {
    define(current as Record<string, unknown>, oddNames[odd % oddNames.length]!, oddValue)
  } else target[name] = oddValue
}

/** A field of its own also when it is called `__proto__`. */
function define(object: Record<string, unknown>, name: string, value: unknown): void {
  Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true })
}

function placesIn(holder: Container, found: { holder: Container; name: string | number }[]) {
  for (const [name, value] of Object.entries(holder)) {
    found.push({ holder, name })
    if (typeof value === 'object' && value !== null && found.length < 200) placesIn(value as Container, found)
  }
  return found
}

/** Spoils the text itself; about one in three is not JSON any more. */
export const textSpoil: fc.Arbitrary<(text: string) => string> = fc.oneof(
  { weight: 12, arbitrary: fc.constant((text: string) => text) },
  { weight: 1, arbitrary: fc.nat().map((at) => (text: string) => text.slice(0, at % (text.length + 1))) },
  {
    weight: 1,
    arbitrary: fc.tuple(fc.nat(), fc.constantFrom('"', '{', ']', ',', '\\', '\u0000', '\ufeff', '\\u00', '1e5')).map(
      ([at, piece]) =>
        (text: string) =>
          insert(text, at, piece),
    ),
  },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom('', ' ', 'null', '0', '""', '[]', '{}', 'nul', '{"a":1}{"b":2}', "{'a':1}", '\ufeff{}')
      .map((whole) => () => whole),
  },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 3000 }).map((depth) => () => nested(depth)) },
  {
    weight: 1,
    arbitrary: fc.constant((text: string) =>
      text.replace('{', '{"__proto__":{"model":"x"},"constructor":{"prototype":{"a":1}},'),
    ),
  },
  {
    weight: 1,
    arbitrary: fc.constant((text: string) =>
      text.replace('{', '{"model":1,"input":[],"taskId":"\\u0000","name":"\\ud800",'),
    ),
  },
)

function insert(text: string, at: number, piece: string): string {
  const place = at % (text.length + 1)
  return text.slice(0, place) + piece + text.slice(place)
}

const nested = (depth: number) =>
  `{"model":${'['.repeat(depth)}${']'.repeat(depth)},"input":${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}}`

const json = 'application/json'
/** Mostly what clients send, and some that no client should. */
export const headers: fc.Arbitrary<Record<string, string>> = fc.record(
  {
    'content-type': fc.oneof(
      { weight: 30, arbitrary: fc.constant(json) },
      {
        weight: 2,
        arbitrary: fc.constantFrom(
          `${json}; charset=utf-8`,
          `${json};charset=latin1`,
          'APPLICATION/JSON',
          'text/plain',
          'application/x-www-form-urlencoded',
          'multipart/form-data',
          'multipart/form-data; boundary=x',
          'application/*',
          'x',
          ';',
          `${json}, ${json}`,
          '*/*',
          json.repeat(200),
        ),
      },
    ),
    'idempotency-key': fc.oneof(
      { weight: 30, arbitrary: fc.constant('') },
      { weight: 4, arbitrary: fc.constantFrom('k1', 'k2', 'k'.repeat(255), 'k'.repeat(256), ' ', 'é', '"', 'a, b') },
    ),
    accept: fc.constantFrom('*/*', json, 'text/html', 'x'),
    'content-encoding': fc.oneof(
      { weight: 40, arbitrary: fc.constant('identity') },
      fc.constantFrom('gzip', 'br', 'x'),
    ),
    'x-forwarded-for': fc.constantFrom('127.0.0.1', "' or 1=1", 'é'),
    origin: fc.constantFrom('null', 'https://evil.example', 'x'),
  },
  { requiredKeys: ['content-type'], noNullPrototype: true },
)

/** Query strings: mostly `name=value` of the route's own names, with the same odd texts. */
export function queryOf(names: readonly string[], values: fc.Arbitrary<unknown>): fc.Arbitrary<string> {
  const name = fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom('taskId', ...names) },
    fc.constantFrom(...oddNames, 'x'),
  )
  const value = fc.oneof(values.map(String), fc.constantFrom(...oddTexts))
  const pair = fc
    .tuple(name, value, fc.boolean())
    .map(([key, text, encode]) => (encode ? `${escapeText(key)}=${escapeText(text)}` : escapeText(key)))
  const raw = fc.constantFrom(
    '%',
    '%zz',
    '&&&',
    '=',
    'taskId[]=1',
    'taskId=%ff%fe',
    'taskId=1&taskId=2',
    `taskId=${'a'.repeat(9000)}`,
    'taskId=%00',
    'a[b]=c',
  )
  return fc.oneof(
    { weight: 8, arbitrary: fc.array(pair, { maxLength: 4 }).map((pairs) => pairs.join('&')) },
    { weight: 1, arbitrary: raw },
  )
}

/** Percent-encoded as UTF-8; half of a surrogate pair as the three bytes that no UTF-8 text has. */
export function escapeText(text: string): string {
  return text.isWellFormed()
    ? encodeURIComponent(text)
    : encodeURIComponent(text.toWellFormed()).replaceAll('%EF%BF%BD', '%ED%A0%80')
}

export const oddText: fc.Arbitrary<string> = fc.constantFrom(...oddTexts)
