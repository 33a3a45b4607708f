import type { PageRequestOptions } from 'vitrine/contracts/console';
import { ApiError } from '../api/client.ts';
import { apiUrl } from '../place.ts';

/** Asks the API for a page of a plugin. The cookie of the session goes along by itself. */
export async function request(
  method: string,
  path: string,
  options: PageRequestOptions = {},
): Promise<unknown> {
  const { query = {}, body, signal } = options;
  const url = new URL(apiUrl + path);
  if (!url.href.startsWith(`${apiUrl}/`))
    throw new TypeError(`"${path}" is no path of the API; it begins with a slash.`);
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) url.searchParams.set(name, String(value));
  }
  const response = await fetch(url, {
    method,
    ...(signal && { signal }),
    ...(body !== undefined && {
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    }),
  });
  const isJson = /[/+]json\b/.test(response.headers.get('Content-Type') ?? '');
  const answer: unknown = isJson ? await response.json() : await response.text();
  if (!response.ok) throw new ApiError(isJson ? (answer as Record<string, unknown>) : {}, response);
  return answer;
}

/** Whether a request is for one of some operations: `GET /call-notes/{call_id}`. */
export function isAmong(operations: readonly string[], method: string, path: string): boolean {
  // What the service would read as another path is for none of them.
  if (/%2f|%5c|%2e|\\|\/\.{1,2}(\/|$)/i.test(path) || new URL(apiUrl + path).href !== apiUrl + path)
    return false;
  return operations.some((operation) => {
    const [ownMethod, template = ''] = operation.split(' ');
    return ownMethod === method && patternOf(template).test(path);
  });
}

function patternOf(template: string): RegExp {
  const literals = template
    .split(/\{\w+\}/)
    .map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`));
  return new RegExp(`^${literals.join('[^/?#]+')}$`);
}
