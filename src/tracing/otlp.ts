// Tracing through OpenTelemetry: spans are sent in batches to an OTLP receiver over HTTP. Imported only when tracing is
// on. The exporter reads further settings, such as OTEL_EXPORTER_OTLP_HEADERS, from the environment.
import { type Context, ROOT_CONTEXT, type Span as SdkSpan, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import { parseTraceParent } from '@opentelemetry/core'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import packageJson from '../../package.json' with { type: 'json' }
import { withTraceparent } from './trace-context.ts'
import type { Span, SpanOptions, Tracing } from './tracing.ts'

const kinds = {
  server: SpanKind.SERVER,
  internal: SpanKind.INTERNAL,
  client: SpanKind.CLIENT,
  consumer: SpanKind.CONSUMER,
}

const sendEveryMs = 1_000
/** Spans beyond this are dropped while the receiver does not respond. */
const waitingSpansMax = 8_192
/** A receiver that does not respond must not delay the end of the process. */
const closeWithinMs = 3_000

export function openOtlp(endpoint: string, sampling: Sampling): Tracing {
  const exporter = new OTLPTraceExporter({ url: `${endpoint}/v1/traces` })
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': 'dailies', 'service.version': packageJson.version }),
    sampler: samplerOf(sampling),
    spanProcessors: [
      new BatchSpanProcessor({ exporter, scheduledDelayMillis: sendEveryMs, maxQueueSize: waitingSpansMax }),
    ],
  })
  const tracer = provider.getTracer('dailies')
  const start = (name: string, { kind, parent, attributes = {} }: SpanOptions, startMs?: number) =>
    tracer.startSpan(
      name,
      { kind: kinds[kind], attributes, ...(startMs === undefined ? {} : { startTime: startMs }) },
      contextOf(parent),
    )

  return {
    async span(name, options, work) {
      const sdkSpan = start(name, options)
      const span = spanOf(sdkSpan)
      try {
        return await withTraceparent(span.traceparent, () => work(span))
      } catch (error) {
        span.fail((error as Error).message)
        throw error
      } finally {
        sdkSpan.end()
      }
    },
    record(name, { startMs, endMs, error, ...options }) {
      const span = start(name, options, startMs)
      if (error) spanOf(span).fail(error)
      span.end(endMs)
    },
    async close() {
      const late = new Promise((resolve) => setTimeout(resolve, closeWithinMs).unref())
      await Promise.race([provider.shutdown().catch(() => {}), late])
    },
  }
}

/** As OpenTelemetry defines its variables of these names; this library reads neither. */
interface Sampling {
  tracesSampler: string
  tracesShare: number
}

function samplerOf({ tracesSampler, tracesShare }: Sampling) {
  const name = tracesSampler.replace(/^parentbased_/, '')
  const root =
    name === 'traceidratio'
      ? new TraceIdRatioBasedSampler(tracesShare)
      : name === 'always_off'
        ? new AlwaysOffSampler()
        : new AlwaysOnSampler()
  return name === tracesSampler ? root : new ParentBasedSampler({ root })
}

/** An invalid `traceparent` starts a new trace, as the W3C recommendation asks. */
function contextOf(traceparent: string | null): Context {
  const parent = traceparent === null ? null : parseTraceParent(traceparent)
  return parent ? trace.setSpanContext(ROOT_CONTEXT, { ...parent, isRemote: true }) : ROOT_CONTEXT
}

function spanOf(span: SdkSpan): Span {
  const { traceId, spanId, traceFlags } = span.spanContext()
  return {
    traceparent: `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`,
    set: (attributes) => void span.setAttributes(attributes),
    fail: (message) => void span.setStatus({ code: SpanStatusCode.ERROR, message }),
  }
}
