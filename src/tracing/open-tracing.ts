// Turns tracing on where it is configured. Off by default: then OpenTelemetry is not loaded.
import type { Tracing } from './tracing.ts'

interface TracingSettings {
  /** The base URL of an OTLP receiver over HTTP; null: off. */
  otlpEndpoint: string | null
  tracesSampler: string
  tracesShare: number
}

export async function openTracing({ otlpEndpoint, ...sampling }: TracingSettings): Promise<Tracing | null> {
  if (otlpEndpoint === null) return null
  const { openOtlp } = await import('./otlp.ts')
  return openOtlp(otlpEndpoint, sampling)
}
