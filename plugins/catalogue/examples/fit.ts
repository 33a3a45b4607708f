import { ValidationFailed } from '../../../core/index.ts';
import type { CallableVersion, ExampleContent, SchemaFinding } from '../contract.ts';
import { below } from '../schema/json.ts';

/** The most bytes of input, params and output together, as JSON. */
const MAX_BYTES = 262_144;

/** Why a version would not accept the input and the params of an example. Throws `SchemaTooCostly`. */
export async function misfits(
  version: CallableVersion,
  { input_data, params = {} }: ExampleContent,
): Promise<readonly SchemaFinding[]> {
  return [
    ...below('/params', version.completeParams(params).findings),
    ...below('/input_data', await version.checkInput(input_data)),
  ];
}

/** Throws `ValidationFailed` for content that the version does not accept or that is too large. */
export async function refuseUnfit(
  version: CallableVersion,
  content: ExampleContent,
  callId?: string,
): Promise<void> {
  const bytes = Buffer.byteLength(JSON.stringify([content.input_data, content.params, content.output_data]));
  const tooLarge = {
    pointer: '',
    message: `has ${bytes} bytes of input, params and output, and may have ${MAX_BYTES}.`,
  };
  const findings = bytes > MAX_BYTES ? [tooLarge] : await misfits(version, content);
  const [first] = findings;
  if (first === undefined) return;
  const errors = findings.map(({ pointer, message }) =>
    callId === undefined
      ? { pointer: `/body${pointer}`, message }
      : { pointer: '/body/call_id', message: `names a call that does not fit: ${pointer} ${message}` },
  );
  throw ValidationFailed(`The version does not accept this example: ${first.pointer} ${first.message}`, {
    errors,
  });
}
