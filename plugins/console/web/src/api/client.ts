import createClient from 'openapi-fetch';
import type { paths } from 'vitrine/client';
import { apiUrl } from '../place.ts';
import { text } from '../texts/text.ts';

/** Every operation of the API, with its types. The cookie of the session goes along by itself. */
export const api = createClient<paths>({ baseUrl: apiUrl });

/** One broken rule of a request. */
export interface FieldError {
  readonly pointer: string;
  readonly message: string;
}

/** A refused request, with what the problem document of the API tells about it. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly title: string;
  readonly requestId: string | undefined;
  readonly errors: readonly FieldError[];
  /** In seconds. */
  readonly retryAfter: number | undefined;

  constructor(problem: Record<string, unknown>, response: Response) {
    super(
      typeof problem['detail'] === 'string' ? problem['detail'] : text.errors.unexpected(response.status),
    );
    this.status = response.status;
    this.code = typeof problem['code'] === 'string' ? problem['code'] : `http_${response.status}`;
    this.title = typeof problem['title'] === 'string' ? problem['title'] : response.statusText;
    this.requestId = response.headers.get('X-Request-Id') ?? undefined;
    this.errors = Array.isArray(problem['errors']) ? (problem['errors'] as FieldError[]) : [];
    const seconds = Number(response.headers.get('Retry-After'));
    this.retryAfter = seconds > 0 ? seconds : undefined;
  }
}

interface Outcome<T> {
  readonly data?: T;
  readonly error?: unknown;
  readonly response: Response;
}

/** The data of an answer. Throws `ApiError` when the service refused, and what `fetch` throws when it is away. */
export async function dataOf<T>(outcome: Promise<Outcome<T>>): Promise<T> {
  const { data, error, response } = await outcome;
  if (!response.ok) throw new ApiError(isObject(error) ? error : {}, response);
  return data as T;
}

/** The data of an answer; `undefined` for a 404, which is the answer of an operation whose plugin is switched off. */
export async function dataUnlessOff<T>(outcome: Promise<Outcome<T>>): Promise<T | undefined> {
  try {
    return await dataOf(outcome);
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return undefined;
    throw error;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
