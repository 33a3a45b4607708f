import { asObject, parsed, type JsonObject } from '../json.ts';

/**
 * The answer of a server that streams although the request does not ask for it: its pieces as if they had come at once.
 * An event with an error is the answer. `undefined` when the text is no event stream.
 */
export function fromEventStream(text: string): JsonObject | undefined {
  const events = eventsIn(text);
  const [first] = events;
  if (first === undefined) return undefined;
  const failed = events.find((event) => event['error']);
  if (failed !== undefined) return failed;
  const choices = events.map(choiceIn);
  const message = { content: joined(choices, 'content'), refusal: joined(choices, 'refusal') || null };
  const finish_reason = choices.findLast((choice) => choice['finish_reason'])?.['finish_reason'];
  return { model: first['model'], choices: [{ message, finish_reason }] };
}

function eventsIn(text: string): JsonObject[] {
  return text
    .split('\n')
    .filter((line) => line.startsWith('data:'))
    .map((line) => asObject(parsed(line.slice('data:'.length))))
    .filter((event) => event !== undefined);
}

function choiceIn({ choices }: JsonObject): JsonObject {
  return (Array.isArray(choices) && asObject(choices[0])) || {};
}

function joined(choices: readonly JsonObject[], name: string): string {
  return choices
    .map((choice) => asObject(choice['delta'])?.[name])
    .filter((piece) => typeof piece === 'string')
    .join('');
}
