import { withoutSecret } from '../../../core/index.ts';
import { CodeHostFailed } from '../../repositories/contract.ts';
import type { HostedRepositoryAnswer } from '../schemas.ts';

/** The fields of a repository on Gitea that are used here. */
export interface GiteaRepository extends HostedRepositoryAnswer {
  readonly defaultBranch: string;
  readonly cloneUrl: string;
}

type Fields = Readonly<Record<string, unknown>>;

/** Parses a JSON object. Throws `CodeHostFailed` for anything else. */
export function readObject(body: Buffer, what: string): Fields {
  try {
    const value = JSON.parse(body.toString('utf8')) as unknown;
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Fields;
  } catch {
    throw unusable(what);
  }
  throw unusable(what);
}

export function readText(fields: Fields, name: string, what: string): string {
  const value = fields[name];
  if (typeof value === 'string' && value !== '' && !/\p{Cc}/u.test(value)) return value;
  throw unusable(what);
}

/** An http or https address, which may be shown as a link. */
function readAddress(fields: Fields, name: string, what: string): string {
  const address = readText(fields, name, what);
  if (/^https?:\/\/[^/]/i.test(address) && URL.canParse(address)) return address;
  throw unusable(what);
}

export function readRepository(body: Buffer): GiteaRepository {
  const what = 'a repository';
  const fields = readObject(body, what);
  const { id, description } = fields;
  const isPrivate = fields['private'];
  if (!Number.isSafeInteger(id) || typeof isPrivate !== 'boolean' || typeof description !== 'string') {
    throw unusable(what);
  }
  return {
    id: id as number,
    name: readText(fields, 'name', what),
    full_name: readText(fields, 'full_name', what),
    description,
    private: isPrivate,
    html_url: readAddress(fields, 'html_url', what),
    cloneUrl: readAddress(fields, 'clone_url', what),
    defaultBranch: readText(fields, 'default_branch', what),
  };
}

const LONGEST_SENTENCE = 300;

/** The reason that Gitea gives for a refusal (`{"message": "…"}`): bounded, and without the token. */
export function refusalIn(body: Buffer, accessToken: string): string {
  let message: unknown;
  try {
    ({ message } = JSON.parse(body.toString('utf8')) as { message?: unknown });
  } catch {
    return '';
  }
  if (typeof message !== 'string') return '';
  const readable = withoutSecret(message, accessToken).replace(/\p{Cc}+/gu, ' ');
  return readable.trim().slice(0, LONGEST_SENTENCE);
}

function unusable(what: string): Error {
  return CodeHostFailed(
    `The code-hosting server answered something else than the description of ${what}. Is the configured address that of a Gitea or Forgejo server?`,
  );
}
