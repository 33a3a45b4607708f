import { withoutSecret } from '../../../core/index.ts';
import { asObject, type JsonObject } from '../json.ts';

const LONGEST = 200;
const TOKEN_LIKE = /\b(?:Bearer\s+|sk-|key-)[\w.~+/-]{6,}/gi;
const UNPRINTABLE = /[\u0000-\u001f\u007f-\u009f]+/g;

/**
 * The reason that a server gives, as a sentence to append: short, on one line, without the key in any form in which a
 * server may echo it. Empty without a reason in a known form.
 */
export function complaintIn(answer: JsonObject | undefined, apiKey: string): string {
  const said = messageIn(answer);
  if (said === undefined) return '';
  const short = withoutSecret(said.replace(UNPRINTABLE, ' '), apiKey).replace(TOKEN_LIKE, '***').trim();
  return short === '' ? '' : ` It says: "${short.length > LONGEST ? `${short.slice(0, LONGEST)}…` : short}"`;
}

/** `{error: {message}}` as OpenAI has it, `{error}` or `{message}` or `{detail}` as others do. */
function messageIn(answer: JsonObject | undefined): string | undefined {
  const error = answer?.['error'];
  return [asObject(error)?.['message'], error, answer?.['message'], answer?.['detail']].find(
    (said) => typeof said === 'string',
  );
}
