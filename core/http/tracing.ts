import type { Span, Tracer } from '../telemetry/tracing.ts';
import { METHODS } from './request-log.ts';
import { CLIENT_CLOSED_REQUEST, isClosed, type Step, type StepContext } from './state.ts';

/** Measures each request but those of probes as a span, which continues the trace of the client. */
export function traceRequests(tracer: Tracer, probes: ReadonlySet<string>): Step {
  return (ctx, next) => {
    if (probes.has(ctx.path)) return next();
    const isKnown = METHODS.includes(ctx.method);
    const name = isKnown ? ctx.method : 'HTTP';
    const attributes = { 'http.request.method': isKnown ? ctx.method : '_OTHER' };
    return tracer.span(name, { kind: 'server', from: ctx.headers, attributes }, async (span) => {
      ctx.state.traceparent = span.traceparent;
      await next();
      describe(span, ctx);
    });
  };
}

/** Names are those of OpenTelemetry's conventions. Path and query are left out, because clients may put secrets there. */
function describe(span: Span, ctx: StepContext): void {
  const { operation, request, problem } = ctx.state;
  const status = isClosed(ctx) ? CLIENT_CLOSED_REQUEST : ctx.status;
  if (operation) span.rename(`${ctx.method} ${operation.template}`);
  span.set({
    'http.route': operation?.template,
    'http.response.status_code': status,
    'error.type': problem,
    'vitrine.plugin': operation?.plugin,
    'vitrine.request_id': request.id,
  });
  if (status >= 500) span.fail(problem ?? String(status));
}
