import { setImmediate as nextTurn } from 'node:timers/promises';
import Koa from 'koa';
import type { Bulkhead } from '../support/bulkhead.ts';
import type { Logger } from '../telemetry/logger.ts';
import type { Tracer } from '../telemetry/tracing.ts';
import { admit, isRefusal } from './admission.ts';
import { refuseAmbiguous } from './ambiguous.ts';
import { clientAddress } from './client-address.ts';
import { compression } from './compression.ts';
import { answerNotModified } from './conditional.ts';
import { crossOrigin } from './cors.ts';
import { everyAnswer } from './headers.ts';
import type { HttpMiddleware } from './middlewares.ts';
import { answerProblem } from './problems.ts';
import { publicUrl } from './public-url.ts';
import { identify } from './request-id.ts';
import type { RequestLog } from './request-log.ts';
import type { OperationTable } from './routing/operation-table.ts';
import { normaliseTarget } from './routing/request-path.ts';
import type { ServerOptions } from './server-settings.ts';
import { isClosed, type RequestState } from './state.ts';
import { traceRequests } from './tracing.ts';
import { closeConnection } from './unread-body.ts';

/**
 * In bytes. Larger answers wait for one turn of the event loop, so that requests that arrived together are handled and logged
 * first: writing a large answer evicts the code of requests from the processor's caches, which made a list a third slower.
 * Compressed answers have no length and are written later anyway.
 */
const LARGE_ANSWER = 16_384;

export interface AppParts {
  readonly settings: ServerOptions;
  readonly operations: OperationTable;
  readonly admission: Bulkhead;
  readonly middlewares: readonly HttpMiddleware[];
  readonly logger: Logger;
  readonly log: RequestLog;
  /** Where traces are sent. */
  readonly tracer: Tracer | undefined;
  /** Aborts when the server begins to stop. */
  readonly stopping: AbortSignal;
  /** True while the service starts or stops. */
  readonly isNotReady: () => boolean;
}

/**
 * The way of every request, top to bottom; `routing/serve.ts` continues with the operation that was found. The first
 * middleware calls plain functions, because every `async` middleware costs about one percent of a call.
 */
export function createApp(parts: AppParts): Koa<RequestState> {
  const { settings, operations, admission, middlewares, log } = parts;
  const server = {
    clientAddress: clientAddress(settings.trust_proxy, parts.logger),
    publicUrl: publicUrl(settings),
    stopping: parts.stopping,
  };
  const compressLarge = compression();
  const app = new Koa<RequestState>();

  if (parts.tracer) app.use(traceRequests(parts.tracer, operations.probes));
  app.use(async (ctx, next) => {
    const started = log.clock.elapsed();
    identify(ctx, server);
    ctx.res.setHeaders(everyAnswer);
    let isRefused = false;
    try {
      await next();
      const compressing = answerNotModified(ctx) ? undefined : compressLarge(ctx);
      if (compressing) await compressing;
    } catch (error) {
      isRefused = isRefusal(error);
      answerProblem(ctx, error, log);
    }
    closeConnection(ctx, parts.isNotReady());
    if (!isRefused) log.answered(ctx, started);
    if ((ctx.length ?? 0) >= LARGE_ANSWER) await nextTurn();
  });
  if (settings.cors_origins.length > 0) app.use(crossOrigin(settings.cors_origins));
  app.use(refuseAmbiguous);
  app.use(normaliseTarget);
  for (const { before, middleware } of middlewares) if (before === 'admission') app.use(middleware);
  app.use(admit(admission, operations.probes));
  for (const { before, middleware } of middlewares) if (before === 'routing') app.use(middleware);
  app.use(operations.literals);
  app.use(operations.router.routes());
  app.use(operations.unserved);

  app.on('error', (error: Error, ctx: Koa.Context) => {
    if (!isClosed(ctx)) log.failed(ctx.state as RequestState, error);
  });
  return app;
}
