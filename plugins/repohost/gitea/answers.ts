import { withoutSecret } from '../../../core/index.ts';
import { CodeHostFailed } from '../../repositories/contract.ts';
import type { HostedRepositoryAnswer } from '../schemas.ts';
import { identityOf } from './identity.ts';

/** The fields of a new repository on Gitea that are used here. */
export interface GiteaRepository extends HostedRepositoryAnswer {
  readonly defaultBranch: string;
  readonly cloneUrl: string;
  readonly identity: string;
}

/** Which repository it is that the server has under a name or an id. */
export interface FoundRepository {
  readonly identity: string;
  readonly fullName: string;
  readonly cloneUrl: string | undefined;
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
function addressIn(fields: Fields, name: string): string | undefined {
  const address = fields[name];
  if (typeof address !== 'string' || /\p{Cc}/u.test(address)) return undefined;
  return /^https?:\/\/[^/]/i.test(address) && URL.canParse(address) ? address : undefined;
}

const REPOSITORY = 'a repository';

export function readRepository(body: Buffer): GiteaRepository {
  const fields = readObject(body, REPOSITORY);
  const { description } = fields;
  const { identity, fullName, cloneUrl } = readFound(body);
  const isPrivate = fields['private'];
  const html_url = addressIn(fields, 'html_url');
  if (typeof isPrivate !== 'boolean' || typeof description !== 'string' || !html_url || !cloneUrl) {
    throw unusable(REPOSITORY);
  }
  return {
    id: readId(fields),
    identity,
    name: readText(fields, 'name', REPOSITORY),
    full_name: fullName,
    description,
    private: isPrivate,
    html_url,
    cloneUrl,
    defaultBranch: readText(fields, 'default_branch', REPOSITORY),
  };
}

/** Reads no more than it takes to find a repository again: any other field may be missing. */
export function readFound(body: Buffer): FoundRepository {
  const fields = readObject(body, REPOSITORY);
  return {
    identity: identityOf(readId(fields), fields['created_at']),
    fullName: readText(fields, 'full_name', REPOSITORY),
    cloneUrl: addressIn(fields, 'clone_url'),
  };
}

function readId({ id }: Fields): number {
  if (Number.isSafeInteger(id)) return id as number;
  throw unusable(REPOSITORY);
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
