/** Longer times are mistakes, such as milliseconds that were taken for seconds. */
const LONGEST_S = 30 * 86_400;

type Headers = Readonly<Record<string, string>>;

/**
 * The whole seconds after which a server asks to be asked again, by its header `Retry-After`: a number of seconds, or a
 * date (RFC 9110, section 10.2.3). `undefined` without the header, and for a value that is malformed, past or absurd.
 * `now` is in milliseconds since 1970; a date counts from the date of the answer, where it has one.
 */
export function retryAfterOf(headers: Headers, now: () => number): number | undefined {
  const text = headers['retry-after']?.trim();
  if (text === undefined) return undefined;
  const seconds = /^\d{1,12}(?:\.\d{1,12})?$/.test(text)
    ? Number(text)
    : (timeOf(text) - (timeOf(headers['date']) || now())) / 1000;
  return seconds > 0 && seconds <= LONGEST_S ? Math.ceil(seconds) : undefined;
}

/** The time of an HTTP date in its three forms, of which only the last, `Sun Nov  6 08:49:37 1994`, names no zone. */
function timeOf(text: string | undefined): number {
  if (text === undefined || !/^[A-Z][a-z]{2,8},? /.test(text)) return NaN;
  return Date.parse(text.endsWith(' GMT') ? text : `${text} GMT`);
}
