// The tracing port.

export interface Tracing {
  /** Runs `work` as a span below `parent`, or as the start of a trace. Requests made by `work` carry its context. */
  span<T>(name: string, options: SpanOptions, work: (span: Span) => Promise<T>): Promise<T>
  /** Records a span that is over. */
  record(name: string, options: SpanOptions & { startMs: number; endMs: number; error?: string | null }): void
  /** Sends what is left. */
  close(): Promise<void>
}

export interface SpanOptions {
  kind: 'server' | 'internal' | 'client' | 'consumer'
  /** A W3C `traceparent`. Null: a new trace. */
  parent: string | null
  attributes?: Attributes
}

type Attributes = Record<string, string | number | boolean>

export interface Span {
  /** The context of this span, for what is below it. */
  readonly traceparent: string
  set(attributes: Attributes): void
  fail(message: string): void
}
