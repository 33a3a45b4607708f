import type { Context, Middleware } from 'koa';
import type { UserPrincipal } from '../auth/principal.ts';
import type { HttpRequest } from './request.ts';
import type { UploadedFile } from './routing/route.ts';

/** What the log shows of an operation. */
export interface LoggedOperation {
  readonly plugin: string;
  /** The path template with the base path: the `route` of metrics and logs. */
  readonly template: string;
  /** Answered under overload, without authentication, and logged at debug level. */
  readonly probe: boolean;
}

/** What the steps find out about a request: `ctx.state`. */
export interface RequestState {
  request: HttpRequest;
  /** Undefined until the router has found it. */
  operation?: LoggedOperation;
  /** Undefined for anonymous requests. */
  user?: UserPrincipal;
  /** The code of the problem with which it was answered. */
  problem?: string;
  /** The span of the request, where traces are sent. */
  traceparent?: string;
  /** The uploaded files, and the directory that is removed with them. */
  form?: { readonly directory: string; readonly files: readonly UploadedFile[] };
}

/** A middleware of the kernel. */
export type Step = Middleware<RequestState>;

/** The Koa context of a request. */
export type StepContext = Parameters<Step>[0];

/** The status in logs and traces when the client disconnected before its answer; nginx uses the same number. */
export const CLIENT_CLOSED_REQUEST = 499;

/** Whether the client closed its connection, so that no answer can reach it. */
export function isClosed({ req, res }: Pick<Context, 'req' | 'res'>): boolean {
  return res.destroyed || req.socket.destroyed;
}
