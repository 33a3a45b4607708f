import { asObject, type JsonObject } from '../json.ts';
import { LanguageModelFailed } from '../contract.ts';
import { quoted } from './complaint.ts';

/** The model that the server names, otherwise the one that was asked for. Bounded, because callers see it. */
export function servedBy(answer: JsonObject, named: string): string {
  const model = answer['model'];
  return typeof model === 'string' && model !== '' && model.length <= 200 ? model : named;
}

/** The text of the first choice. Throws `LanguageModelFailed` without one. */
export function textIn(answer: JsonObject): string {
  const choice = firstOf(answer['choices']);
  const message = asObject(choice?.['message']);
  const content = message?.['content'];
  const text = typeof content === 'string' ? content : joinedParts(content, 'text');
  if (text.trim() !== '') return text;
  const { refusal } = message ?? {};
  const refused = typeof refusal === 'string' ? refusal : joinedParts(content, 'refusal');
  throw unusable(whyEmpty(refused, choice?.['finish_reason']));
}

/** Some servers answer with a list of parts instead of a text; the thoughts among them are left out. */
function joinedParts(content: unknown, type: 'text' | 'refusal'): string {
  if (!Array.isArray(content)) return '';
  return content
    .map(asObject)
    .filter((part) => (part?.['type'] ?? 'text') === type)
    .map((part) => part?.[type])
    .filter((text) => typeof text === 'string')
    .join('');
}

function whyEmpty(refusal: string, finishReason: unknown): string {
  if (refusal !== '') return `The model refuses to answer this.${quoted(refusal, '')}`;
  return finishReason === 'length'
    ? 'The model used up its tokens before it answered: ask for less, or ask the operator to raise llm.max_tokens.'
    : 'It holds no text.';
}

/** The first image: its bytes, or where they are. Throws `LanguageModelFailed` when there is neither. */
export function imageIn(answer: JsonObject): { readonly bytes: Buffer } | { readonly url: string } {
  const { b64_json: base64, url } = firstOf(answer['data']) ?? {};
  if (isText(base64)) return { bytes: bytesIn(base64) };
  if (!isText(url)) throw unusable('It holds no image.');
  return DATA_URL.test(url) ? { bytes: bytesIn(url) } : { url };
}

/** Some servers write a data URL, where the bytes or the address belong. */
const DATA_URL = /^data:[^,]*;base64,/i;

function bytesIn(base64: string): Buffer {
  return Buffer.from(base64.replace(DATA_URL, ''), 'base64');
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

function firstOf(list: unknown): JsonObject | undefined {
  return Array.isArray(list) ? asObject(list[0]) : undefined;
}

/** The problem of an answer that came and is of no use. */
export function unusable(why: string) {
  return LanguageModelFailed(`The answer of the language model cannot be used. ${why}`);
}
