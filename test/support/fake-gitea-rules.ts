/** What a token may do, as Gitea names it. */
export type Scope =
  | 'read:user'
  | 'write:user'
  | 'read:repository'
  | 'write:repository'
  | 'read:organization'
  | 'write:organization';

export const everyScope: readonly Scope[] = ['write:user', 'write:repository', 'write:organization'];

export interface Answer {
  readonly status: number;
  readonly body?: unknown;
}

export type Fields = Record<string, unknown>;

export const CREATE_FIELDS: Record<string, string> = {
  name: 'string',
  description: 'string',
  private: 'boolean',
  auto_init: 'boolean',
  default_branch: 'string',
  readme: 'string',
  license: 'string',
  gitignores: 'string',
  issue_labels: 'string',
  template: 'boolean',
  trust_model: 'string',
  object_format_name: 'string',
};
export const EDIT_FIELDS: Record<string, string> = {
  name: 'string',
  description: 'string',
  website: 'string',
  private: 'boolean',
  default_branch: 'string',
  template: 'boolean',
  archived: 'boolean',
};

export interface Caller {
  readonly login: string;
  readonly scopes: readonly Scope[];
}

export const notFound: Answer = {
  status: 404,
  body: { message: 'The target couldn’t be found.', errors: [] },
};
export const notAllowed: Answer = { status: 405 };

export function refusal(status: number, message: string): Answer {
  return { status, body: { message, url: 'https://docs.example/api/swagger' } };
}

/** A right to write includes the one to read. */
export function lacking({ scopes }: Caller, scope: Scope): Answer | undefined {
  const enough = [scope, scope.replace('read:', 'write:')];
  if (scopes.some((has) => enough.includes(has))) return undefined;
  return refusal(403, `token does not have at least one of required scope(s): [${scope}]`);
}

export function faultOf(body: unknown, fields: Record<string, string>): string | undefined {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return 'Empty Content-Type or body';
  for (const [name, value] of Object.entries(body)) {
    if (fields[name] === undefined) return `unknown field ${name}`;
    if (typeof value !== fields[name]) return `cannot unmarshal into ${name}`;
  }
  return undefined;
}

/** Why a name is refused, in Gitea's words. */
export function faultOfName(name: string): string | undefined {
  if (!/^[-.\w]{1,100}$/.test(name) || name.includes('..')) return 'invalid repository name';
  return /^(\.|-)$|\.(git|wiki|rss|atom)$/i.test(name) ? `name is reserved [name: ${name}]` : undefined;
}
