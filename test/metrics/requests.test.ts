// The metrics of requests say what prom-client's own counter and histogram would say.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Counter, Histogram, Registry } from 'prom-client'
import { createMetrics } from '../../src/metrics/metrics.ts'
import type { Queue } from '../../src/queue/queue.ts'

const requests = [
  { method: 'GET', route: '/readyz', status: 200, ms: 0.4 },
  { method: 'GET', route: '/readyz', status: 200, ms: 1 },
  { method: 'GET', route: '/readyz', status: 503, ms: 5.1 },
  { method: 'POST', route: '/api/v1/jobs/createTask', status: 200, ms: 19 },
  { method: 'GET', route: 'unrouted', status: 404, ms: 10_001 },
  { method: 'GET', route: '/files/"quoted"\\', status: 200, ms: 2000 },
]

test('requests are counted by route, method, status and time, however often they are read', async () => {
  const registers = [new Registry()]
  const counts = new Counter({
    name: 'dailies_http_requests_total',
    help: 'HTTP requests by route and status.',
    labelNames: ['method', 'route', 'status'],
    registers,
  })
  const times = new Histogram({
    name: 'dailies_http_request_seconds',
    help: 'Response time by route.',
    labelNames: ['route'],
    buckets: [0.001, 0.005, 0.02, 0.1, 0.5, 2, 10],
    registers,
  })
  const metrics = createMetrics({ depths: async () => [] } as unknown as Queue)
  try {
    for (let round = 0; round < 3; round++) {
      for (const { method, route, status, ms } of requests) {
        metrics.request(method, route, status, ms)
        counts.inc({ method, route, status })
        times.observe({ route }, ms / 1000)
      }
      const { body } = await metrics.text()
      const expected = await registers[0]!.metrics()
      assert.deepEqual(linesAbout('dailies_http_', body), linesAbout('dailies_http_', expected))
      assert.equal(linesAbout('dailies_http_requests_total{', body).length, 5)
    }
  } finally {
    metrics.close()
  }
})

const linesAbout = (name: string, text: string) => text.split('\n').filter((line) => line.includes(name))
