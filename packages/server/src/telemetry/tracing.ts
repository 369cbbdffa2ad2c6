// Tracing of the steps of a job. One trace per job: submit → upload → queue → convert (fetch, engine, check, store) →
// settle. The steps run in several processes, so each passes its W3C traceparent to the next one, as a string that is
// stored with the job. There is no implicit current span. Without a collector nothing is loaded or done (`noTracing`);
// with one, otlp.ts implements it.

export interface SpanOptions {
  /** The traceparent of the previous step; null starts a trace. */
  parent: string | null
  attributes?: Readonly<Record<string, string | number>>
}

export interface Tracing {
  readonly enabled: boolean
  /** Runs the work in a span; `work` gets the traceparent of that span. An error marks the span as failed. */
  span<T>(name: string, options: SpanOptions, work: (traceParent: string | null) => Promise<T>): Promise<T>
  /** Records a span that has already ended, such as the time in the queue. */
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
