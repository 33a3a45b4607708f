import type { IncomingHttpHeaders } from 'node:http';
import { token } from '../di/token.ts';

/** What a span says about its work: ids, names and codes. Never payloads, credentials or queries. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean | undefined>>;

/** The options of a span. */
export interface SpanOptions {
  /** `server` for a request that is answered, `client` for one that is sent; `internal` by default. */
  readonly kind?: 'server' | 'client' | 'internal';
  readonly attributes?: SpanAttributes;
  /** The headers of a request that may continue the trace of its sender. By default the span around this one is the parent. */
  readonly from?: IncomingHttpHeaders;
}

/** A piece of work in a trace, while it is done. */
export interface Span {
  /** The value of the header `traceparent` for requests that belong to this work. */
  readonly traceparent: string;
  rename(name: string): void;
  set(attributes: SpanAttributes): void;
  /** Marks the work as failed. `kind` is a code or the name of an error, never its message. */
  fail(kind: string): void;
}

/** Measures work as spans of OpenTelemetry traces. */
export interface Tracer {
  /** Does the work in a span, the parent of all spans within it. A span whose work throws is marked as failed. */
  span<T>(name: string, options: SpanOptions, work: (span: Span) => T | Promise<T>): Promise<T>;
}

/** The traces of this process, from its start to its stop. */
export interface Tracing {
  readonly tracer: Tracer;
  /** Sends the spans that wait, for a few seconds at most. Never rejects. */
  close(): Promise<void>;
}

/** The id of the trace to which a `traceparent` belongs. */
export function traceIdIn(traceparent: string): string {
  return traceparent.split('-', 2)[1]!;
}

/** The tracer; `undefined` where no traces are sent, so that they cost nothing there. */
export const TRACER = token<Tracer | undefined>('core:tracer');
