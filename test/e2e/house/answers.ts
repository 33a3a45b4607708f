import { createHash } from 'node:crypto';
import { clientOf } from '../../support/service-client.ts';

/** What an administrator sees of an installation, apart from what tells the time. */
const LISTS = [
  '/algorithms?limit=1000&stats=true',
  '/history/statistics',
  '/history/algorithms',
  '/history/user-calls?limit=100&status=failed',
  '/history/user-calls?limit=100&skip=20000',
  '/users?limit=1000',
  '/users/me',
  '/api-keys?user_id=all',
  '/permissions/grants?limit=1000',
  '/groups',
  '/gateway/policies',
  '/gateway/stats',
  '/repositories',
  '/audit?limit=1000',
];

/** What every account sees of its own calls. */
const OWN = ['/history/statistics', '/history/user-calls?limit=1000', '/users/me'];

/** Pages that are read one after the other by their cursors. */
const PAGES = 3;

/** The answers of a service to the administrator and to another account, by their paths, to be compared with those of another. */
export async function answersOf(
  url: string,
  tokens: { readonly ada: string; readonly grace: string },
): Promise<Readonly<Record<string, unknown>>> {
  const client = clientOf(url);
  const answers: Record<string, unknown> = {};
  for (const path of LISTS) answers[`ada ${path}`] = await client.ok('GET', path, { token: tokens.ada });
  for (const path of OWN) answers[`grace ${path}`] = await client.ok('GET', path, { token: tokens.grace });
  let cursor = '';
  for (let page = 1; page <= PAGES; page += 1) {
    const query = `limit=1000${cursor && `&cursor=${encodeURIComponent(cursor)}`}`;
    const answer = await client.ok('GET', `/history/user-calls?${query}`, { token: tokens.ada });
    answers[`ada page ${page}`] = answer;
    cursor = answer.next_cursor;
  }
  for (const [who, token] of Object.entries(tokens)) {
    answers[`${who} all calls`] = await exported(url, '/history/export?format=ndjson', token);
  }
  answers['ada audit trail'] = await exported(url, '/audit/export?format=ndjson', tokens.ada);
  return answers;
}

/** The number of lines of an export, and their hash. */
async function exported(url: string, path: string, token: string): Promise<unknown> {
  const answer = await fetch(`${url}/api/v1${path}`, { headers: { Authorization: `Bearer ${token}` } });
  const hash = createHash('sha256');
  let lines = 0;
  for await (const bytes of answer.body!) {
    hash.update(bytes);
    for (const byte of bytes) if (byte === 10) lines += 1;
  }
  return { status: answer.status, lines, sha256: hash.digest('hex') };
}
