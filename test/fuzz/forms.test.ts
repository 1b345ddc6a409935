// Thousands of forms that are spoiled in every way, to every route that takes forms: each gets a response that is no fault
// of the service, nothing of it stays, and the process goes on. FUZZ sets how many at each place, such as 10000;
// FUZZ_SEED repeats a run.
import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import fc from 'fast-check'
import { sendRaw } from '../support/network/raw-http.ts'
import { routeList } from '../support/service/route-list.ts'
import { testKey } from '../support/service/service.ts'
import { describeService } from '../support/service/suite.ts'
import { untilTrue } from '../support/until.ts'
import { type FuzzedForm, fuzzedForm } from './forms.ts'

const runs = Number(process.env.FUZZ ?? 2_000)
const seed = Number(process.env.FUZZ_SEED ?? Date.now() % 2 ** 31)
const atOnce = 8
/** A form that is refused for more than this before its file is not read to its end. */
const bytesBeforeFileMax = 131_072
const chunkMax = 200
/** 200 is a form that stayed valid; 455 a machine that is too busy for new work. */
const statuses = new Set<unknown>([200, 402, 404, 422, 429, 451, 455])

// Thousands of requests of one key that cost nothing are what this is about.
describeService('a spoiled form', { env: { DAILIES_FREE_WORK: 'off' } }, (service) => {
  /** The status; null where the server closed the connection of a request that was not whole. */
  async function send(form: FuzzedForm): Promise<number | null> {
    const length = form.chunked
      ? 'transfer-encoding: chunked'
      : `content-length: ${Math.max(0, form.body.length + form.lengthOff)}`
    const head =
      `POST ${form.path} HTTP/1.1\r\nhost: a\r\nconnection: close\r\nauthorization: Bearer ${testKey}\r\n` +
      `content-type: ${form.contentType}\r\n${length}\r\n\r\n`
    const body = form.chunked
      ? Buffer.concat([Buffer.from(`${form.body.length.toString(16)}\r\n`), form.body, Buffer.from('\r\n0\r\n\r\n')])
      : form.body
    const [answer] = await sendRaw(service().url, Buffer.concat([Buffer.from(head), body]), {
      withinMs: 10_000,
      end: form.lengthOff > 0,
    })
    return answer?.status ?? null
  }

  test(`costs nothing but its response, ${runs} times`, async (t) => {
    const targets = routeList(service()).flatMap(({ path, filePart }) =>
      filePart === undefined ? [] : [{ path, part: filePart }],
    )
    assert.ok(targets.length >= 3)
    const counts: Record<string, number> = {}
    for (let first = 0; first < runs; first += chunkMax) {
      const count = Math.min(chunkMax, runs - first)
      const forms = fc.sample(fuzzedForm(targets), { numRuns: count, seed: seed + first })
      let next = 0
      const sender = async () => {
        while (next < forms.length) {
          const form = forms[next++]!
          const status = await send(form).catch((error: Error) => error.message)
          const isClosed = status === null || /EPIPE|ECONNRESET/.test(String(status))
          const mayClose = form.lengthOff > 0 || form.body.length > bytesBeforeFileMax
          const isExpected = isClosed ? mayClose : statuses.has(status)
          const shown = JSON.stringify({ ...form, body: form.body.toString('latin1') }).slice(0, 2000)
          assert.ok(isExpected, `${status}, seed ${seed}: ${shown}`)
          const outcome = isClosed ? 'closed' : String(status)
          counts[outcome] = (counts[outcome] ?? 0) + 1
        }
      }
      await Promise.all(Array.from({ length: atOnce }, sender))
    }
    t.diagnostic(`seed ${seed}, responses ${JSON.stringify(counts)}`)
    assert.ok((counts[422] ?? 0) > runs / 4, JSON.stringify(counts))
    await untilTrue('local files are deleted', async () => {
      const names = await readdir(join(service().dataDir, 'tmp'), { recursive: true })
      return !names.some((name) => name.includes('upload-'))
    })
    assert.equal((await service().as(null).get('/livez')).status, 200)
  })
})
