import {
  context,
  diag,
  DiagLogLevel,
  propagation,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  type Span as OtelSpan,
  type Tracer as OtelTracer,
} from '@opentelemetry/api';
import { OTLPTraceExporter as JsonExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { OTLPTraceExporter as ProtobufExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import {
  defaultResource,
  detectResources,
  envDetector,
  resourceFromAttributes,
} from '@opentelemetry/resources';
import { BatchSpanProcessor, NodeTracerProvider } from '@opentelemetry/sdk-trace-node';
import { Problem } from '../errors/problem.ts';
import { withDeadline } from '../support/deadline.ts';
import { newId } from '../support/ids.ts';
import { packageVersion } from '../support/package-root.ts';
import type { Logger } from './logger.ts';
import { reported } from './reported-exporter.ts';
import type { Span, Tracer, Tracing } from './tracing.ts';

/** How long a stop waits for the receiver. */
const FLUSH_MS = 2000;

export interface TracingOptions {
  /** The whole address to which spans are sent. */
  readonly url: string;
  readonly protocol: string;
  readonly logger: Logger;
}

/**
 * Starts the SDK of OpenTelemetry for this process. What no setting names, such as the sampler, it reads from its own
 * environment variables. It is registered globally, so that spans of other packages join the traces.
 */
export function startTracing({ url, protocol, logger }: TracingOptions): Tracing {
  // Reports bad values of its variables; the exporter reports what happens later.
  const report = (message: string): void => logger.warn({}, `OpenTelemetry: ${message}`);
  const log = { error: report, warn: report, info: ignore, debug: ignore, verbose: ignore };
  diag.setLogger(log, DiagLogLevel.WARN);
  const exporter = protocol === 'http/json' ? new JsonExporter({ url }) : new ProtobufExporter({ url });
  const provider = new NodeTracerProvider({
    resource: ownResource(),
    spanProcessors: [new BatchSpanProcessor(reported(exporter, new URL(url).origin, logger))],
  });
  diag.disable();
  provider.register();
  return {
    tracer: tracerOn(provider.getTracer('vitrine', packageVersion())),
    close: async () => {
      await withDeadline(FLUSH_MS, provider.shutdown().catch(ignore), ignore);
      for (const api of [trace, context, propagation]) api.disable();
    },
  };
}

function ignore(): void {
  // The exporter has reported what there is to report.
}

/** What sends the spans; `OTEL_SERVICE_NAME` and `OTEL_RESOURCE_ATTRIBUTES` take precedence. */
function ownResource() {
  const own = {
    'service.name': 'vitrine',
    'service.version': packageVersion(),
    'service.instance.id': newId(),
  };
  return defaultResource()
    .merge(resourceFromAttributes(own))
    .merge(detectResources({ detectors: [envDetector] }));
}

const KINDS = { server: SpanKind.SERVER, client: SpanKind.CLIENT, internal: SpanKind.INTERNAL };

function tracerOn(tracer: OtelTracer): Tracer {
  return {
    span: (name, { kind = 'internal', attributes = {}, from }, work) => {
      const around = from ? propagation.extract(ROOT_CONTEXT, from) : context.active();
      return tracer.startActiveSpan(name, { kind: KINDS[kind], attributes }, around, async (otel) => {
        const span = spanOn(otel);
        try {
          return await work(span);
        } catch (error) {
          if (isRefusal(error)) span.set({ 'error.type': error.code });
          else span.fail(kindOf(error));
          throw error;
        } finally {
          otel.end();
        }
      });
    },
  };
}

function spanOn(otel: OtelSpan): Span {
  return {
    get traceparent() {
      const { traceId, spanId, traceFlags } = otel.spanContext();
      return `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`;
    },
    rename: (name) => void otel.updateName(name),
    set: (attributes) => void otel.setAttributes(attributes),
    fail: (kind) => {
      otel.setAttribute('error.type', kind);
      otel.setStatus({ code: SpanStatusCode.ERROR });
    },
  };
}

/** Whether the work ended as it should, with a refusal of what a client sent. */
function isRefusal(error: unknown): error is Problem {
  return error instanceof Problem && error.status < 500;
}

/** Messages may have values in them, and traces leave the machine. */
function kindOf(error: unknown): string {
  if (error instanceof Problem) return error.code;
  return error instanceof Error ? error.name : typeof error;
}
