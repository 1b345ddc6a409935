// What holds on every route of the service, those outside the OpenAPI document included: who may call it, how often, and
// that a crowd of requests does no harm.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Caller, newCaller } from '../../support/service/callers.ts'
import { type ListedRoute, openReasons, routeList, servedEndpoints } from '../../support/service/route-list.ts'
import { describeService } from '../../support/service/suite.ts'

const crowd = 16
/** Of the contract; 503 is `/readyz` of a service that is not ready. */
const statuses = new Set([200, 204, 304, 401, 402, 404, 408, 416, 422, 429, 433, 451, 455, 501, 505])

describeService('every route', {}, (service) => {
  const routes = () => routeList(service())
  const guarded = () => routes().filter(({ access }) => access !== 'open')

  /** Ends the response after its headers: some go on for as long as the client listens. */
  async function call({ method, path }: ListedRoute, key: string | null, body?: object) {
    const headers = {
      ...(key === null ? {} : { authorization: `Bearer ${key}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      'x-dailies-console': '1',
    }
    const response = await fetch(service().url + path, {
      method,
      headers,
      redirect: 'manual',
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    await response.body?.cancel()
    return response
  }

  test('is in the list, and the list has no other', () => {
    const served = servedEndpoints(service())
    const listed = routes().map(({ endpoint }) => endpoint)
    assert.ok(listed.length > 80, `only ${listed.length} routes`)
    assert.deepEqual(new Set(listed).size, listed.length)
    // A route that needs no key responds to HEAD as to GET.
    const heads = routes()
      .filter(({ access, method }) => access === 'open' && method === 'GET')
      .map(({ endpoint }) => endpoint.replace('GET', 'HEAD'))
    assert.deepEqual(served.toSorted(), [...new Set([...listed, ...heads])].toSorted())
  })

  test('without a key has a reason for that', () => {
    const open = routes().filter(({ access }) => access === 'open')
    assert.deepEqual(open.map(({ endpoint }) => endpoint).toSorted(), Object.keys(openReasons).toSorted())
  })

  test('with a key is 401 without one, and with an unknown one', async () => {
    for (const route of guarded()) {
      for (const key of [null, 'no-such-key-at-all']) {
        const response = await call(route, key)
        assert.equal(response.status, 401, route.endpoint)
        assert.equal(response.headers.get('www-authenticate'), 'Bearer', route.endpoint)
      }
    }
  })

  test('over the rate of its key is 429 with Retry-After', async () => {
    const { key } = await newCaller(service(), 1000, { rate: '1/1h', operator: true })
    const first = await fetch(`${service().url}/api/v1/account/credit`, { headers: { authorization: `Bearer ${key}` } })
    assert.equal(first.status, 200)
    const login = routes().find(({ endpoint }) => endpoint === 'POST /console/session')!
    for (const [route, body] of [...guarded().map((each) => [each] as const), [login, { key }] as const]) {
      const response = await call(route, key, body)
      assert.equal(response.status, 429, route.endpoint)
      assert.match(response.headers.get('retry-after') ?? '', /^\d+$/, route.endpoint)
    }
  })

  test('takes a crowd of requests of one account, beside which another is served', async () => {
    const [one, other] = await Promise.all([newCaller(service(), 1000, { operator: true }), newCaller(service(), 1000)])
    const balance = async ({ api }: Caller) => (await api.get('/api/v1/account/credit')).status
    for (const route of routes()) {
      // These would end what the other requests need.
      const key = /\/(rotate|maintenance|features)/.test(route.path) ? 'no-such-key-at-all' : one.key
      const body = route.method === 'GET' || route.method === 'HEAD' ? undefined : {}
      const crowded = Array.from({ length: crowd }, async () => (await call(route, key, body)).status)
      assert.equal(await balance(other), 200, route.endpoint)
      for (const status of await Promise.all(crowded)) assert.ok(statuses.has(status), `${route.endpoint}: ${status}`)
    }
    assert.equal((await service().as(null).get('/livez')).status, 200)
  })
})
