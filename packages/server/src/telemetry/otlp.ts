import { hostname } from 'node:os'
import {
  type Context,
  ROOT_CONTEXT,
  type Span,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  trace,
} from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { defaultResource, resourceFromAttributes } from '@opentelemetry/resources'
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base'
import { sleep } from '../rounds.ts'
import type { Tracing } from './tracing.ts'

// The tracing of tracing.ts on OpenTelemetry, sent over OTLP/HTTP. Sampling, batch sizes, headers and further
// resource attributes follow the OTEL_* variables, which the SDK reads itself.

const closeMilliseconds = 3000

export function openOtlpTracing(endpoint: string, processKind: string): Tracing {
  const provider = new BasicTracerProvider({
    resource: resourceFromAttributes({
      'service.name': 'kiln',
      'service.instance.id': `${hostname()}:${process.pid}`,
      'kiln.process': processKind,
    }).merge(defaultResourceIfNamed()),
    spanProcessors: [
      new BatchSpanProcessor(
        new OTLPTraceExporter({ url: `${endpoint.replace(/\/$/, '')}/v1/traces`, timeoutMillis: 5000 }),
      ),
    ],
  })
  const tracer = provider.getTracer('kiln')

  return {
    enabled: true,
    async span(name, { parent, attributes }, work) {
      const span = tracer.startSpan(
        name,
        { kind: kindOf(name), attributes: { ...attributes } },
        within(parent),
      )
      try {
        return await work(formatTraceParent(span.spanContext()))
      } catch (error) {
        markFailed(span, error)
        throw error
      } finally {
        span.end()
      }
    },
    note(name, { parent, attributes, start, end }) {
      // Clocks of two machines differ a little; a span never ends before it begins.
      const startTime = Math.min(start.getTime(), end.getTime())
      const span = tracer.startSpan(
        name,
        { kind: kindOf(name), attributes: { ...attributes }, startTime },
        within(parent),
      )
      span.end(end)
    },
    // An unavailable collector must not delay the shutdown.
    async close() {
      const waited = new AbortController()
      // Spans that could not be sent are lost.
      const closed = provider.shutdown().catch(() => {})
      await Promise.race([closed, sleep(closeMilliseconds, waited.signal)])
      waited.abort()
    },
  }
}

/** OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES override our defaults. */
function defaultResourceIfNamed() {
  const { attributes } = defaultResource()
  const named = !String(attributes['service.name'] ?? 'unknown_service').startsWith('unknown_service')
  return resourceFromAttributes(named ? { 'service.name': attributes['service.name'] ?? 'kiln' } : {})
}

const kindOf = (name: string): SpanKind => {
  if (name === 'submit' || name === 'upload') return SpanKind.SERVER
  return name === 'convert' ? SpanKind.CONSUMER : SpanKind.INTERNAL
}

function markFailed(span: Span, error: unknown): void {
  span.setStatus({ code: SpanStatusCode.ERROR, message: error instanceof Error ? error.message : '' })
}

const shape = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/

function within(traceParent: string | null): Context {
  const match = traceParent === null ? null : shape.exec(traceParent)
  if (!match) return ROOT_CONTEXT
  const [, traceId, spanId, flags] = match as unknown as [string, string, string, string]
  return trace.setSpanContext(ROOT_CONTEXT, {
    traceId,
    spanId,
    traceFlags: Number.parseInt(flags, 16) & TraceFlags.SAMPLED,
    isRemote: true,
  })
}

const formatTraceParent = ({ traceId, spanId, traceFlags }: SpanContext): string =>
  `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`
