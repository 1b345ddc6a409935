// HTTP requests by route and status, and how long they took. Requests are counted in plain numbers, which become metrics
// when these are read: finding its labels in prom-client would take a twentieth of the time of a whole request.
import { Counter, type Histogram, type Registry } from 'prom-client'

export interface HttpMetrics {
  request(method: string, route: string, status: number, elapsedMs: number): void
}

const secondsName = 'dailies_http_request_seconds'
const bounds = [0.001, 0.005, 0.02, 0.1, 0.5, 2, 10]

interface Count {
  labels: { method: string; route: string; status: number }
  unread: number
}

interface Times {
  /** How many requests were within each bound, but not within the one before; the last is for those beyond all. */
  within: number[]
  seconds: number
}

export function createHttpMetrics(register: Registry): HttpMetrics {
  const counts = new Map<string, Count>()
  new Counter({
    name: 'dailies_http_requests_total',
    help: 'HTTP requests by route and status.',
    labelNames: ['method', 'route', 'status'],
    registers: [register],
    collect() {
      for (const count of counts.values()) {
        this.inc(count.labels, count.unread)
        count.unread = 0
      }
    },
  })
  const routes = new Map<string, Times>()
  const histogram = {
    name: secondsName,
    get: async () => ({
      name: secondsName,
      help: 'Response time by route.',
      type: 'histogram',
      values: [...routes].flatMap(([route, times]) => valuesOf(route, times)),
    }),
  }
  // The registry calls nothing else of a metric.
  register.registerMetric(histogram as unknown as Histogram)

  return {
    request(method, route, status, elapsedMs) {
      const key = `${status} ${method} ${route}`
      const count = counts.get(key)
      if (count) count.unread++
      else counts.set(key, { labels: { method, route, status }, unread: 1 })

      let times = routes.get(route)
      if (!times) routes.set(route, (times = { within: Array(bounds.length + 1).fill(0), seconds: 0 }))
      const elapsed = elapsedMs / 1000
      let i = 0
      while (i < bounds.length && elapsed > bounds[i]!) i++
      times.within[i]!++
      times.seconds += elapsed
    },
  }
}

function valuesOf(route: string, { within, seconds }: Times) {
  let total = 0
  const buckets = [...bounds, '+Inf'].map((le, i) => {
    total += within[i]!
    return { metricName: `${secondsName}_bucket`, labels: { le, route }, value: total }
  })
  return [
    ...buckets,
    { metricName: `${secondsName}_sum`, labels: { route }, value: seconds },
    { metricName: `${secondsName}_count`, labels: { route }, value: total },
  ]
}
