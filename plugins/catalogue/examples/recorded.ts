import { ValidationFailed, type UserPrincipal } from '../../../core/index.ts';
import type { ExampleContent, NewExample, RecordedCalls } from '../contract.ts';
import type { NewExampleInput } from './schemas.ts';

interface Asked {
  readonly versionId: string;
  readonly body: NewExampleInput;
  readonly principal: UserPrincipal;
}

/** What a request for an example asks for: its own content, or that of a call. Throws `ValidationFailed`. */
export async function exampleAsked(
  calls: readonly RecordedCalls[],
  { versionId, body: { call_id, input_data, params, output_data, ...fields }, principal }: Asked,
): Promise<NewExample> {
  if (call_id === undefined) {
    if (input_data === undefined) refuse('input_data', 'is required, unless call_id names a call.');
    return { ...fields, input_data, params, output_data };
  }
  if (input_data !== undefined || params !== undefined || output_data !== undefined)
    refuse('call_id', 'stands for input_data, params and output_data; leave those out.');
  return { ...fields, ...(await contentOf(calls, { call_id, versionId, principal })) };
}

async function contentOf(
  calls: readonly RecordedCalls[],
  { call_id, versionId, principal }: { call_id: string; versionId: string; principal: UserPrincipal },
): Promise<ExampleContent> {
  const found = await Promise.all(calls.map((source) => source.find(call_id, principal)));
  const call = found.find((one) => one?.version_id === versionId);
  if (call === undefined) return refuse('call_id', 'names no call of this version by you.');
  const { input_data, params, output_data } = call;
  if (input_data === null || params === null)
    return refuse('call_id', 'names a call whose record does not hold its input as it was.');
  return { input_data, params, output_data };
}

function refuse(field: string, message: string): never {
  throw ValidationFailed('The example has no content.', {
    errors: [{ pointer: `/body/${field}`, message }],
  });
}
