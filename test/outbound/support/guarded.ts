// What the suites of the guarded fetch share: the failure of a request that must fail, and a port without a listener.
import assert from 'node:assert/strict'
import { FetchFailure } from '../../../src/outbound/fetch-failure.ts'
import { startBadServer } from '../../support/network/bad-server.ts'

export async function failureOf(work: Promise<unknown>): Promise<FetchFailure> {
  const error = await work.then(
    () => assert.fail('it was fetched'),
    (reason) => reason,
  )
  assert.ok(error instanceof FetchFailure, String(error))
  return error
}

export async function findClosedPort(): Promise<number> {
  const server = await startBadServer()
  await server.close()
  return server.port
}
