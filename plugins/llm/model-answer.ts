import { canBeSent } from '../../core/index.ts';
import type { JsonObject } from './json.ts';

const THOUGHTS = /^\s*<think>[\s\S]*?<\/think>/;
const FENCE = /```(?:json|json5|javascript)?[ \t]*\r?\n([\s\S]*?)```/i;

/** The answer of a model without the thoughts that some models write first. */
export function withoutThoughts(text: string): string {
  return text.replace(THOUGHTS, '').trim();
}

/**
 * The JSON object that an answer is: bare, or in a code fence. Any other JSON but text becomes `{"result": value}`.
 * `undefined` when the answer is words, or JSON that no call may carry.
 */
export function objectIn(answer: string): JsonObject | undefined {
  const value = parsed(answer) ?? parsed(FENCE.exec(answer)?.[1] ?? '');
  const object = Array.isArray(value) ? { result: value } : value;
  return object && isInputData(object) ? object : undefined;
}

/** A call with this data must not fail for its form. */
function isInputData(input_data: JsonObject): boolean {
  return canBeSent({ algorithm_id: '', version_id: '', input_data, params: {} });
}

/** The same for an answer that must be an object: also one that stands among words. */
export function objectSomewhereIn(answer: string): JsonObject | undefined {
  return objectIn(answer) ?? objectIn(answer.slice(answer.indexOf('{'), answer.lastIndexOf('}') + 1));
}

function parsed(text: string): JsonObject | unknown[] | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as JsonObject | unknown[]) : undefined;
  } catch {
    return undefined;
  }
}
