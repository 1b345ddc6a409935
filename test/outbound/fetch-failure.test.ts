// Which failed fetches may succeed a little later, as a table.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { asFetchFailure, FetchFailure } from '../../src/outbound/fetch-failure.ts'

const withCode = (code: string) => Object.assign(new Error(code), { code })
const socketError = (code: string) => asFetchFailure(withCode(code))!
const dns = (code: string) => new FetchFailure('dns', { cause: withCode(code) })
const status = (status: number) => new FetchFailure('status', { status })

describe('passing', () => {
  for (const code of ['ECONNREFUSED', 'ECONNRESET', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH', 'EPERM']) {
    test(code, () => assert.equal(socketError(code).isPassing, true))
  }
  for (const code of ['EAI_AGAIN', 'ESERVFAIL', 'ETIMEOUT', 'EREFUSED', 'ECONNREFUSED']) {
    test(`DNS ${code}`, () => assert.equal(dns(code).isPassing, true))
  }
  for (const code of [408, 425, 429, 500, 502, 503, 504]) {
    test(String(code), () => assert.equal(status(code).isPassing, true))
  }
})

describe('final', () => {
  for (const code of ['HPE_INVALID_CONSTANT', 'ERR_TLS_CERT_ALTNAME_INVALID']) {
    test(code, () => assert.equal(socketError(code).isPassing, false))
  }
  for (const code of ['ENOTFOUND', 'ENODATA']) {
    test(`DNS ${code}`, () => assert.equal(dns(code).isPassing, false))
  }
  for (const code of [204, 304, 400, 401, 403, 404, 410, 451]) {
    test(String(code), () => assert.equal(status(code).isPassing, false))
  }
  for (const kind of ['address', 'url', 'too_large', 'encoding', 'redirect', 'tls', 'dns'] as const) {
    test(kind, () => assert.equal(new FetchFailure(kind).isPassing, false))
  }
})

test('a server that responds is reached, whatever it says', () => {
  assert.equal(status(503).reachedServer, true)
  assert.equal(socketError('ECONNREFUSED').reachedServer, false)
  assert.equal(dns('EAI_AGAIN').reachedServer, false)
})
