import type { ProblemDeclaration } from '../../errors/problem.ts';
import * as core from '../../errors/core-problems.ts';
import type { Components, Json } from './components.ts';
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

const { code, title, status, description } = core.ValidationFailed;
const EXAMPLE: Json = {
  type: problemUri(code),
  title,
  status,
  detail: description,
  instance: '/api/v1/users/register',
  code,
  request_id: '01890a5d-ac96-774b-bcce-b302099a8057',
  errors: [{ pointer: '/body/username', message: 'is required.' }],
};

/** The problem document of RFC 9457 with the extension members of this service; `codes` are those of the installation. */
export function problemSchema(codes: readonly string[]): Json {
  return {
    type: 'object',
    description: 'Why a request failed.',
    required: ['type', 'title', 'status', 'detail', 'instance', 'code', 'request_id'],
    properties: {
      type: { type: 'string', format: 'uri', description: 'Names the kind of problem.' },
      title: { type: 'string', description: 'The same for every occurrence of the kind.' },
      status: { type: 'integer', description: 'The HTTP status.' },
      detail: { type: 'string', description: 'What happened this time, and the way out.' },
      instance: { type: 'string', description: 'The path of the request.' },
      code: { type: 'string', enum: codes, description: 'The kind of problem, for programs; stable.' },
      request_id: { type: 'string', description: 'Finds the request in the log.' },
      errors: { type: 'array', items: FieldErrorSchema, description: 'Every value that breaks its schema.' },
    },
    examples: [EXAMPLE],
  };
}

/** The problem responses of an operation by status: those of the kernel that can occur, and the route's own. */
export function problemResponses(
  route: Route,
  components: Components,
  ofCredentials: readonly ProblemDeclaration[],
): Readonly<Record<string, Json>> {
  const byStatus = new Map<number, ProblemDeclaration[]>();
  const ofCaller = route.access === 'anonymous' ? [] : ofCredentials;
  for (const problem of new Set([...kernelProblems(route), ...ofCaller, ...(route.problems ?? [])])) {
    byStatus.set(problem.status, [...(byStatus.get(problem.status) ?? []), problem]);
  }
  const ordered = [...byStatus].sort(([a], [b]) => a - b);
  return Object.fromEntries(
    ordered.map(([of, problems]) => [String(of), response(of, problems, components, ofCredentials)]),
  );
}

function kernelProblems(route: Route): readonly ProblemDeclaration[] {
  const { access } = route;
  const inputs = inputProblems(route);
  const credentials = access === 'anonymous' ? [] : [core.InvalidCredentials];
  const open = access === 'public' || access === 'anonymous';
  const signIn = open ? [] : [core.Unauthenticated];
  const rights = open || access === 'user' ? [] : [core.Forbidden];
  const origin = access === 'anonymous' || route.method === 'GET' ? [] : [core.OriginRefused];
  const scopes = open || access === 'account' ? [] : [core.InsufficientScope];
  const load = route.probe ? [] : [core.NotReady, core.Overloaded, core.StoreUnavailable];
  return [
    ...inputs,
    ...signIn,
    ...credentials,
    ...rights,
    ...scopes,
    ...origin,
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

type Groups = readonly (readonly [name: string, problems: readonly ProblemDeclaration[]])[];

/** Short names of responses for problems of the kernel: most operations refer to them, and some occur together. */
const kernelGroups: Groups = [
  ['BadJson', [core.MalformedJson, core.TooDeep, core.TooManyParts, core.ForbiddenKey]],
  ['Invalid', [core.ValidationFailed]],
  ['Timeout', [core.RequestTimeout]],
  ['TooLarge', [core.PayloadTooLarge]],
  ['MediaType', [core.UnsupportedMediaType]],
  ['Internal', [core.InternalError]],
  ['Origin', [core.OriginRefused]],
  ['NotSignedIn', [core.Unauthenticated, core.InvalidCredentials]],
  ['NotAllowed', [core.Forbidden, core.InsufficientScope]],
  ['Unavailable', [core.NotReady, core.Overloaded, core.StoreUnavailable]],
];

/** A reference to the response of a status with these problems, which the document contains once. */
function response(
  status: number,
  problems: readonly ProblemDeclaration[],
  components: Components,
  ofCredentials: readonly ProblemDeclaration[],
): Json {
  const own = ofCredentials.filter((problem) => problem.status === status);
  const groups: Groups = own.length > 0 ? [...kernelGroups, ['Credential', own]] : kernelGroups;
  return components.response(responseName(problems, groups), {
    description: problems.map(({ title }) => `${title}.`).join(' '),
    ...describeHeaders(status, merged(problems.map(({ headers }) => headers)), components),
    content: { [PROBLEM_TYPE]: { schema: narrowed(problems, components) } },
  });
}

/** A document of one of some problems, with the members that each of them may have. */
function narrowed(problems: readonly ProblemDeclaration[], components: Components): Json {
  const members = Object.entries(merged(problems.map((problem) => problem.members)));
  const properties = {
    code: { enum: problems.map(({ code }) => code) },
    ...Object.fromEntries(members.map(([name, schema]) => [name, components.schema(schema)])),
  };
  return { allOf: [{ $ref: '#/components/schemas/Problem' }, { properties }] };
}

function merged<T>(parts: readonly (Readonly<Record<string, T>> | undefined)[]): Readonly<Record<string, T>> {
  return Object.assign({}, ...parts) as Record<string, T>;
}

function responseName(problems: readonly ProblemDeclaration[], groups: Groups): string {
  const whole = groups.filter(([, group]) => group.every((problem) => problems.includes(problem)));
  const others = problems.filter((problem) => !whole.some(([, group]) => group.includes(problem)));
  return [...others.map(({ code }) => typeName(code)).sort(), ...whole.map(([name]) => name)].join('Or');
}

/** `validation_failed` → `ValidationFailed`. */
function typeName(code: string): string {
  return code.replaceAll(/(?:^|_)(.)/g, (_, letter: string) => letter.toUpperCase());
}
