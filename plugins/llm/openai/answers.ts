import { asObject, type JsonObject } from '../json.ts';
import { LanguageModelFailed } from '../contract.ts';

/** The model that the server names, otherwise the one that was asked for. Bounded, because callers see it. */
export function servedBy(answer: JsonObject, named: string): string {
  const model = answer['model'];
  return typeof model === 'string' && model !== '' && model.length <= 200 ? model : named;
}

/** The text of the first choice. Throws `LanguageModelFailed` without one. */
export function textIn(answer: JsonObject): string {
  const message = asObject(firstOf(answer['choices'])?.['message']);
  const content = message?.['content'];
  const text = typeof content === 'string' ? content : textOfParts(content);
  if (text.trim() !== '') return text;
  throw unusable(
    typeof message?.['refusal'] === 'string' ? 'The model refuses to answer this.' : 'It holds no text.',
  );
}

/** Some servers answer with a list of parts instead of a text. */
function textOfParts(content: unknown): string {
  if (!Array.isArray(content)) return '';
  return content
    .map((part) => asObject(part)?.['text'])
    .filter((text) => typeof text === 'string')
    .join('');
}

/** The first image: its bytes, or where they are. Throws `LanguageModelFailed` when there is neither. */
export function imageIn(answer: JsonObject): { readonly bytes: Buffer } | { readonly url: string } {
  const image = firstOf(answer['data']);
  const base64 = image?.['b64_json'];
  if (typeof base64 === 'string') return { bytes: Buffer.from(base64, 'base64') };
  const url = image?.['url'];
  if (typeof url === 'string') return { url };
  throw unusable('It holds no image.');
}

function firstOf(list: unknown): JsonObject | undefined {
  return Array.isArray(list) ? asObject(list[0]) : undefined;
}

/** The problem of an answer that came and is of no use. */
export function unusable(why: string) {
  return LanguageModelFailed(`The answer of the language model cannot be used. ${why}`);
}
