import { InternalError, NotReady, Overloaded, StoreUnavailable } from '../errors/core-problems.ts';
import { Problem } from '../errors/problem.ts';
import type { RequestLog } from './request-log.ts';
import { isClosed, type StepContext } from './state.ts';
import { targetPath } from './routing/request-target.ts';

export const PROBLEM_TYPE = 'application/problem+json';

const transient = new Set([NotReady.code, Overloaded.code, StoreUnavailable.code]);

/** The URI that names a kind of problem (RFC 9457, 3.1.1). */
export function problemUri(code: string): string {
  return `urn:vitrine:problem:${code}`;
}

/** Answers what a later step throws with a problem document, and logs it. */
export function answerProblem(ctx: StepContext, error: unknown, log: RequestLog): void {
  if (isClosed(ctx)) return;
  const { state } = ctx;
  log.failed(state, error);
  const problem = asProblem(error);
  state.problem = problem.code;
  ctx.status = problem.status;
  ctx.remove('ETag');
  ctx.set({ 'Cache-Control': 'no-store', ...problemHeaders(problem), 'Content-Type': PROBLEM_TYPE });
  ctx.body = problemDocument(problem, state.request.id, targetPath(ctx.originalUrl));
}

/** The problem for the client: a declared problem unchanged, anything else as an internal error. */
function asProblem(error: unknown): Problem {
  return error instanceof Problem
    ? error
    : InternalError(
        'The service failed while it worked on this request. Quote the request id when you report it.',
        { cause: error },
      );
}

/** The problem document of RFC 9457 with the extension members `code`, `request_id` and, for validation, `errors`. */
export function problemDocument(problem: Problem, requestId: string, path: string): string {
  const { code, status, title } = problem.type;
  const { errors, members } = problem.extras;
  return JSON.stringify({
    ...members,
    type: problemUri(code),
    title,
    status,
    detail: problem.message,
    instance: path,
    code,
    request_id: requestId,
    ...(errors && { errors }),
  });
}

/** The headers that every answer with a problem has, and those of this problem. */
export function problemHeaders(problem: Problem): Readonly<Record<string, string>> {
  return { ...headersByKind(problem), ...problem.extras.headers };
}

function headersByKind(problem: Problem): Record<string, string> {
  if (problem.status === 401) {
    const reason = problem.code === 'invalid_credentials' ? ', error="invalid_token"' : '';
    return { 'WWW-Authenticate': `Bearer realm="vitrine"${reason}` };
  }
  return transient.has(problem.code) ? { 'Retry-After': '1' } : {};
}
