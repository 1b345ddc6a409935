// Traces of a task's way, as an OTLP receiver gets them: one trace from the client through two services to the callback.
import assert from 'node:assert/strict'
import { createRequire } from 'node:module'
import { after, before, describe, test } from 'node:test'
import { type Receiver, startReceiver } from '../support/network/receiver.ts'
import { places, type TestPlace } from '../support/places/places.ts'
import { taskBody } from '../support/service/api.ts'
import { type Chain, startChain, uploadImage } from '../support/service/chain.ts'
import { startOneService } from '../support/service/one-service.ts'
import { untilTrue } from '../support/until.ts'

interface ReceivedSpan {
  name: string
  traceId: string
  spanId: string
  parentSpanId?: string
  startTimeUnixNano: string
  endTimeUnixNano: string
  attributes: { key: string; value: Record<string, unknown> }[]
  status: { code?: number; message?: string }
}

const loaded = () => Object.keys(createRequire(import.meta.url).cache).filter((path) => path.includes('/sdk-trace/'))

test('OpenTelemetry is not loaded while tracing is off', async () => {
  const place = await places[0].create()
  const service = await startOneService(place.env)
  try {
    const headers = { traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01` }
    const { body } = await service.api.post('/api/v1/jobs/createTask', taskBody(), { headers })
    await service.api.until(body.data.taskId, ['success'])
    assert.deepEqual(loaded(), [])
    const row = await service.app.db.one<{ traceparent: string | null }>('select traceparent from tasks')
    assert.equal(row!.traceparent, null)
  } finally {
    await service.stop()
    await place.stop()
  }
})

describe('a traced task', () => {
  let place: TestPlace
  let collector: Receiver
  let receiver: Receiver
  let chain: Chain
  let image_url: string
  before(async () => {
    collector = await startReceiver()
    receiver = await startReceiver()
    place = await places[0].create()
    chain = await startChain({
      ...place.env,
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.origin,
      DAILIES_ALLOW_PRIVATE_NETWORK: 'true',
      DAILIES_WEBHOOK_DELAYS: '100ms,100ms',
    })
    image_url = await uploadImage(chain.front)
  })
  after(async () => {
    await chain?.stop()
    await place?.stop()
    await receiver?.close()
    await collector?.close()
  })

  const spans = (): ReceivedSpan[] =>
    collector
      .at('/v1/traces')
      .flatMap(({ body }) => body.resourceSpans)
      .flatMap(({ scopeSpans }) => scopeSpans)
      .flatMap((scope) => scope.spans)
  const attributeOf = (span: ReceivedSpan, key: string) => {
    const value = span.attributes.find((each) => each.key === key)?.value
    return value && Object.values(value)[0]
  }
  const spansOf = (taskId: string) => spans().filter((span) => attributeOf(span, 'dailies.task') === taskId)
  const create = async (prompt: string, headers: Record<string, string>, callBackPath = '/ok') => {
    const body = { ...taskBody(prompt, { image_url }), callBackUrl: receiver.origin + callBackPath }
    return (await chain.front.api.post('/api/v1/jobs/createTask', body, { headers })).body.data.taskId as string
  }
  const untilSpans = (taskId: string, names: string[]) =>
    untilTrue(
      `spans ${names.join(', ')} arrive`,
      () => names.every((name) => spansOf(taskId).some((span) => span.name === name)),
      20_000,
    )

  test('is one trace from the client through both services to the callback', async () => {
    assert.notDeepEqual(loaded(), [])
    const client = { traceId: 'c'.repeat(32), spanId: 'd'.repeat(16) }
    const taskId = await create('a boat', { traceparent: `00-${client.traceId}-${client.spanId}-01` })
    await untilSpans(taskId, ['admission', 'prepare', 'queue', 'attempt', 'finish', 'delivery'])
    const ofFront = spansOf(taskId)
    assert.deepEqual(new Set(ofFront.map(({ traceId }) => traceId)), new Set([client.traceId]))
    const named = (name: string) => ofFront.find((span) => span.name === name)!
    assert.equal(named('admission').parentSpanId, client.spanId)
    for (const name of ['prepare', 'queue', 'attempt', 'finish', 'delivery']) {
      assert.equal(named(name).parentSpanId, named('admission').spanId, name)
      assert.ok(BigInt(named(name).endTimeUnixNano) >= BigInt(named(name).startTimeUnixNano), name)
      assert.notEqual(named(name).status.code, 2, name)
    }
    assert.equal(attributeOf(named('attempt'), 'dailies.outcome'), 'succeeded')
    assert.equal(
      receiver.at('/ok')[0]!.headers.traceparent,
      `00-${client.traceId}-${named('delivery').spanId}-01`,
      'the callback carries the context of its delivery',
    )
    const ofBack = spans().find((span) => span.name === 'admission' && span.parentSpanId === named('attempt').spanId)
    assert.equal(ofBack?.traceId, client.traceId, 'the service behind joins the trace of the attempt')
  })

  test('without a context of the client is a new trace, and its failures are marked', async () => {
    const taskId = await create('a boat script: fail the sea is too rough', { traceparent: 'nonsense' }, '/500')
    await untilSpans(taskId, ['admission', 'attempt', 'finish'])
    await untilTrue('three deliveries', () => spansOf(taskId).filter(({ name }) => name === 'delivery').length === 3)
    const ofFront = spansOf(taskId)
    const admission = ofFront.find(({ name }) => name === 'admission')!
    assert.match(admission.traceId, /^[0-9a-f]{32}$/)
    assert.ok(!admission.parentSpanId)
    const failed = ofFront.filter(({ status }) => status.code === 2).map(({ name }) => name)
    assert.deepEqual(new Set(failed), new Set(['attempt', 'finish', 'delivery']))
  })

  test('that its client does not sample is passed on but not recorded', async () => {
    const traceId = 'e'.repeat(32)
    const taskId = await create('a boat', { traceparent: `00-${traceId}-${'f'.repeat(16)}-00` }, '/unsampled')
    await chain.front.api.until(taskId, ['success'])
    await receiver.until((received) => received.some(({ path }) => path === '/unsampled'))
    assert.match(receiver.at('/unsampled')[0]!.headers.traceparent!, new RegExp(`^00-${traceId}-[0-9a-f]{16}-00$`))
    // A later trace has arrived, so this one would have too.
    await untilSpans(await create('another boat', {}), ['delivery'])
    assert.deepEqual(spansOf(taskId), [])
  })
})

test("of the traces that begin here, OpenTelemetry's own variables choose those that are recorded", async () => {
  const collector = await startReceiver()
  const place = await places[0].create()
  const service = await startOneService({
    ...place.env,
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.origin,
    OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
    OTEL_TRACES_SAMPLER_ARG: '0',
  })
  try {
    const traceId = 'a'.repeat(32)
    const create = async (headers: Record<string, string>) => {
      const { body } = await service.api.post('/api/v1/jobs/createTask', taskBody(), { headers })
      await service.api.until(body.data.taskId, ['success'])
    }
    await create({})
    await create({ traceparent: `00-${traceId}-${'b'.repeat(16)}-01` })
    const sent = () => collector.at('/v1/traces').map(({ body }) => JSON.stringify(body))
    await untilTrue('the trace of the client arrives', () => sent().some((text) => text.includes('"finish"')))
    for (const [, id] of sent()
      .join()
      .matchAll(/"traceId":"(\w+)"/g))
      assert.equal(id, traceId)
  } finally {
    await service.stop()
    await place.stop()
    await collector.close()
  }
})
