// Requests that tests start from: the smallest `input` each model accepts, and how to read what comes of a changed one.

import assert from 'node:assert/strict'
import { createCatalogue } from '../../src/models/catalogue.ts'
import type { VideoRequest } from '../../src/models/model.ts'
import { problemsText, problemText } from '../../src/schema/problem.ts'

export const turbo = 'videomodel/v2-5-turbo-image-to-video-pro'
export const omni = 'videomodel-3.0-omni/image-to-video'
export const catalogue = createCatalogue()

const smallest: Record<string, Record<string, unknown>> = {
  [turbo]: { prompt: 'a boat', image_url: 'https://example.com/boat.jpg' },
  [omni]: { prompt: 'a boat', image_url: ['https://example.com/boat.jpg'] },
}

/** The smallest input with some fields changed; `undefined` leaves a field out, as JSON would. */
export function inputFor(modelId: string, changes: Record<string, unknown> = {}): Record<string, unknown> {
  const merged = { ...smallest[modelId], ...changes }
  return Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== undefined))
}

export function requestFor(modelId: string, changes: Record<string, unknown> = {}): VideoRequest {
  const result = catalogue.get(modelId)!.parse(inputFor(modelId, changes))
  assert.ok(result.ok, result.ok ? '' : problemsText(result.problems))
  return result.value
}

export function problemsFor(modelId: string, changes: Record<string, unknown>): string[] {
  const result = catalogue.get(modelId)!.parse(inputFor(modelId, changes))
  return result.ok ? [] : result.problems.map(problemText)
}

/** A row of a table: the value of a field, and the problem it gives (none: accepted). */
export type Row = [value: unknown, problem?: string]

/** Runs every row of a field's table; on refusal exactly that one field is named. */
export function checkField(modelId: string, field: string, rows: readonly Row[], base: Record<string, unknown> = {}) {
  for (const [value, problem] of rows) {
    const shown = JSON.stringify(value)?.slice(0, 60)
    const expected = problem === undefined ? [] : [`input.${field}: ${problem}`]
    assert.deepEqual(problemsFor(modelId, { ...base, [field]: value }), expected, `${field} = ${shown}`)
  }
}

export const urlRows: readonly Row[] = [
  ['http://example.com/a.png'],
  ['https://example.com:8443/a b.png?x=1#y'],
  ['HTTPS://EXAMPLE.com/a.png'],
  ['http://127.0.0.1:9000/a.png'],
  ['http://[::1]/a.png'],
  ['https://bücher.example/ü.png'],
  ['https://example.com/a@b.png'],
  [`https://example.com/${'a'.repeat(2048 - 20)}`],
  [`https://example.com/${'😀'.repeat(2048 - 20)}`],
  [`https://example.com/${'a'.repeat(2049 - 20)}`, 'must be at most 2048 characters (it has 2049)'],
  ['example.com/a.png', 'must be an absolute http or https URL'],
  ['/a.png', 'must be an absolute http or https URL'],
  ['//example.com/a.png', 'must be an absolute http or https URL'],
  ['ftp://example.com/a.png', 'must be an absolute http or https URL'],
  ['file:///etc/passwd', 'must be an absolute http or https URL'],
  ['data:image/png;base64,AAAA', 'must be an absolute http or https URL'],
  ['http:example.com', 'must be an absolute http or https URL'],
  ['http:/example.com', 'must be an absolute http or https URL'],
  ['http:///example.com', 'must be an absolute http or https URL'],
  ['http://', 'must be an absolute http or https URL'],
  ['http://?x', 'must be an absolute http or https URL'],
  ['http://exa mple.com/', 'must be an absolute http or https URL'],
  ['http://example.com:99999/', 'must be an absolute http or https URL'],
  ['http://me:secret@example.com/', 'must be a URL without a user name or password'],
  ['http://me@example.com/', 'must be a URL without a user name or password'],
  ['http://@example.com/', 'must be a URL without a user name or password'],
  [' http://example.com/', 'must be a URL without spaces around it or control characters'],
  ['http://example.com/ ', 'must be a URL without spaces around it or control characters'],
  ['http://example.com/\n', 'must be a URL without spaces around it or control characters'],
  ['http://example.com/\0', 'must be a URL without spaces around it or control characters'],
]
