import type { TestResponse } from '../../../core/testing.ts';

const PROBLEM_MEMBERS = ['type', 'title', 'status', 'detail', 'instance', 'code', 'request_id'];
const WAYS_OF_FAILING = [400, 401, 403, 404, 405, 409, 413, 415, 422, 429, 502, 503, 504];

/** What no answer may be, whatever was asked. */
export function generalFaults(
  method: string,
  path: string,
  signedIn: boolean,
  answer: TestResponse,
): string[] {
  return [
    ...headerFaults(signedIn, answer),
    ...(answer.status === 200 || method === 'HEAD' ? [] : problemFaults(path, answer)),
  ];
}

function headerFaults(signedIn: boolean, { status, headers }: TestResponse): string[] {
  const wanted: [string, boolean][] = [
    ['x-content-type-options is not nosniff', headers['x-content-type-options'] === 'nosniff'],
    ['x-request-id is missing', (headers['x-request-id'] ?? '') !== ''],
    ['cache-control is not no-store', !signedIn || headers['cache-control'] === 'no-store'],
    ['www-authenticate is missing', status !== 401 || /^Bearer\b/.test(headers['www-authenticate'] ?? '')],
    ['allow is missing', status !== 405 || (headers['allow'] ?? '') !== ''],
    ['retry-after is missing', status !== 429 || /^\d+$/.test(headers['retry-after'] ?? '')],
  ];
  return wanted.filter(([, holds]) => !holds).map(([fault]) => fault);
}

function problemFaults(path: string, { status, headers, body }: TestResponse): string[] {
  if (headers['content-type'] !== 'application/problem+json') return ['is not a problem document'];
  const missing = PROBLEM_MEMBERS.filter((name) => body[name] === undefined || body[name] === '');
  const wanted: [string, boolean][] = [
    [`${status} is not a status of this service`, WAYS_OF_FAILING.includes(status)],
    [`members are missing: ${missing.join()}`, missing.length === 0],
    ['status differs from the one of the answer', body.status === status],
    ['request_id differs from x-request-id', body.request_id === headers['x-request-id']],
    ['instance is not the path', body.instance === `/api/v1${path.split('?')[0]}`],
    ['code is not snake_case', /^[a-z]+(_[a-z]+)*$/.test(body.code)],
    ['detail is no sentence', /^\S.*\.$/s.test(body.detail)],
    ['a message is no sentence', sentences(body.errors)],
    ['a validation problem has no errors', body.code !== 'validation_failed' || body.errors?.length > 0],
  ];
  return wanted.filter(([, holds]) => !holds).map(([fault]) => fault);
}

function sentences(errors: { message: string }[] = []): boolean {
  return errors.every(({ message }) => /^\S.*\.$/s.test(message));
}
