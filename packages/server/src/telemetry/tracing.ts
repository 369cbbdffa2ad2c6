// Traces, seen from the steps of a job. One trace per job: submit → upload → queue → convert (fetch, engine,
// check, store) → settle. The steps run in several processes, so a span is named to the next one by its W3C
// traceparent, a string that is kept with the job. There is no hidden current span.
// Without a collector nothing is loaded and nothing is done (`noTracing`); with one, otlp.ts does it.

export interface SpanOptions {
  /** The traceparent of the step before; null begins a trace. */
  parent: string | null
  attributes?: Readonly<Record<string, string | number>>
}

export interface Tracing {
  readonly enabled: boolean
  /** A span around the work, which gets the traceparent of its own span. An error marks the span. */
  span<T>(name: string, options: SpanOptions, work: (traceParent: string | null) => Promise<T>): Promise<T>
  /** A span that is over already, such as the time in the queue. */
  note(name: string, options: SpanOptions & { start: Date; end: Date }): void
  /** Sends the remaining spans. */
  close(): Promise<void>
}

export const noTracing: Tracing = {
  enabled: false,
  span: (_name, _options, work) => work(null),
  note() {},
  async close() {},
}

/** Loads OpenTelemetry only when there is a collector to send traces to: it takes half a second. */
export async function openTracing(endpoint: string | null, processKind: string): Promise<Tracing> {
  if (endpoint === null) return noTracing
  const { openOtlpTracing } = await import('./otlp.ts')
  return openOtlpTracing(endpoint, processKind)
}
