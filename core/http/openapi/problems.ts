import type { ProblemDeclaration } from '../../errors/problem.ts';
import * as core from '../../errors/problems.ts';
import type { Json } from './components.ts';
import { describeHeaders } from './headers.ts';
import { PROBLEM_TYPE, problemUri } from '../problems.ts';
import type { Route } from '../routing/route.ts';

const FieldErrorSchema: Json = {
  type: 'object',
  required: ['pointer', 'message'],
  properties: {
    pointer: { type: 'string', description: 'JSON pointer to the value: `/body/name`, `/query/limit`.' },
    message: { type: 'string', description: 'What the value must be.' },
  },
};

/** The problem document of RFC 9457 with the extension members of this service. */
export const ProblemSchema: Json = {
  type: 'object',
  description: 'Why a request failed.',
  required: ['type', 'title', 'status', 'detail', 'instance', 'code', 'request_id'],
  properties: {
    type: { type: 'string', format: 'uri', description: 'Names the kind of problem.' },
    title: { type: 'string', description: 'The same for every occurrence of the kind.' },
    status: { type: 'integer', description: 'The HTTP status.' },
    detail: { type: 'string', description: 'What happened this time, and the way out.' },
    instance: { type: 'string', description: 'The path of the request.' },
    code: { type: 'string', description: 'Stable; made for programs.' },
    request_id: { type: 'string', description: 'Finds the request in the log.' },
    errors: { type: 'array', items: FieldErrorSchema, description: 'Every value that breaks its schema.' },
  },
};

/** The problem responses of an operation by status: those of the kernel that can occur, and the route's own. */
export function problemResponses(route: Route): Readonly<Record<string, Json>> {
  const byStatus = new Map<number, ProblemDeclaration[]>();
  for (const problem of new Set([...kernelProblems(route), ...(route.problems ?? [])])) {
    byStatus.set(problem.status, [...(byStatus.get(problem.status) ?? []), problem]);
  }
  const ordered = [...byStatus].sort(([a], [b]) => a - b);
  return Object.fromEntries(
    ordered.map(([status, problems]) => [String(status), response(status, problems)]),
  );
}

function kernelProblems(route: Route): readonly ProblemDeclaration[] {
  const { access } = route;
  const inputs = inputProblems(route);
  const credentials = access === 'anonymous' ? [] : [core.InvalidCredentials];
  const open = access === 'public' || access === 'anonymous';
  const signIn = open ? [] : [core.Unauthenticated];
  const rights = open || access === 'user' ? [] : [core.Forbidden];
  const scopes = open || access === 'account' ? [] : [core.InsufficientScope];
  const load = route.probe ? [] : [core.NotReady, core.Overloaded, core.StoreUnavailable];
  return [
    ...inputs,
    ...signIn,
    ...credentials,
    ...rights,
    ...scopes,
    core.ValidationFailed,
    core.InternalError,
    ...load,
  ];
}

function inputProblems({ body, files }: Route): readonly ProblemDeclaration[] {
  if (!body && !files) return [];
  const readings = files
    ? [core.MalformedForm]
    : [core.MalformedJson, core.TooDeep, core.TooManyParts, core.ForbiddenKey];
  return [...readings, core.RequestTimeout, core.PayloadTooLarge, core.UnsupportedMediaType];
}

function response(status: number, problems: readonly ProblemDeclaration[]): Json {
  return {
    description: problems.map(({ title }) => title).join(' · '),
    headers: describeHeaders(status),
    content: {
      [PROBLEM_TYPE]: {
        schema: { $ref: '#/components/schemas/Problem' },
        examples: Object.fromEntries(problems.map((problem) => [problem.code, example(problem)])),
      },
    },
  };
}

function example({ code, status, title, description }: ProblemDeclaration): Json {
  const errors =
    code === 'validation_failed' ? [{ pointer: '/body/name', message: 'is required.' }] : undefined;
  return {
    summary: title,
    value: {
      type: problemUri(code),
      title,
      status,
      detail: description,
      instance: '/api/v1/example',
      code,
      request_id: '01890a5d-ac96-774b-bcce-b302099a8057',
      ...(errors && { errors }),
    },
  };
}
