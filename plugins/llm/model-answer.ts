import { canBeSent } from '../../core/index.ts';
import { LanguageModelFailed, type TextAnswer } from './contract.ts';
import { parsed, type JsonObject } from './json.ts';
import { withoutThoughts } from './thoughts.ts';

const FENCE = /```(?:json|json5|javascript)?[ \t]*\r?\n([\s\S]*?)```/i;

/** What a model answers after its thoughts. Throws `LanguageModelFailed` when there is nothing but thoughts. */
export function answerOf({ text, model }: TextAnswer): string {
  const answer = withoutThoughts(text);
  if (answer !== '') return answer;
  throw LanguageModelFailed(
    `"${model}" answered with thoughts alone. Ask for less, or ask the operator to raise llm.max_tokens.`,
  );
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
