import { InternalError, NotReady, Overloaded, StoreUnavailable } from '../errors/problems.ts';
import { Problem } from '../errors/problem.ts';
import type { TextAnswer } from './answer.ts';

export const PROBLEM_TYPE = 'application/problem+json';

const passing = new Set([NotReady.code, Overloaded.code, StoreUnavailable.code]);

/** The URI that names a kind of problem (RFC 9457, 3.1.1). */
export function problemUri(code: string): string {
  return `urn:vitrine:problem:${code}`;
}

/** What the client may know of a failure: a declared problem as it is, anything else as an internal error. */
export function asProblem(error: unknown): Problem {
  return error instanceof Problem
    ? error
    : InternalError(
        'The service failed while it worked on this request. Quote the request id when you report it.',
        {
          cause: error,
        },
      );
}

/** The problem document of RFC 9457, with `code`, `request_id` and, for validation, `errors` as own members. */
export function problemAnswer(problem: Problem, requestId: string, path: string): TextAnswer {
  const { code, status, title } = problem.type;
  const { errors, members, headers } = problem.extras;
  const document = {
    ...members,
    type: problemUri(code),
    title,
    status,
    detail: problem.message,
    instance: path,
    code,
    request_id: requestId,
    ...(errors && { errors }),
  };
  return {
    status,
    headers: { ...headersFor(problem), ...headers },
    contentType: PROBLEM_TYPE,
    body: JSON.stringify(document),
  };
}

function headersFor(problem: Problem): Record<string, string> {
  if (problem.status === 401) {
    const reason = problem.code === 'invalid_credentials' ? ', error="invalid_token"' : '';
    return { 'WWW-Authenticate': `Bearer realm="vitrine"${reason}` };
  }
  return passing.has(problem.code) ? { 'Retry-After': '1' } : {};
}
