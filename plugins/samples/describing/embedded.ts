import type { Static, TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { InputRejected } from '../input-rejected.ts';
import type { About } from './about.ts';
import { completeParams, type ParamSpecs, type ParamValues } from './params.ts';

/**
 * Makes the default export of a sample's module. Checks the input against the sample's own schema, because the version
 * that names the sample may have another one, or none.
 */
export function embedded<I extends TSchema, P extends ParamSpecs, O extends TSchema>(
  { input: schema, params: specs }: About<I, P, O>,
  run: (input: Static<I>, params: ParamValues<P>) => Static<O>,
) {
  const compiled = Compile(schema);
  return (input: unknown, params: Readonly<Record<string, unknown>>): Static<O> => {
    if (!compiled.Check(input)) throw new InputRejected(sentenceFor(compiled.Errors(input)));
    return run(input as Static<I>, completeParams(specs, params));
  };
}

function sentenceFor(errors: readonly { instancePath: string; message: string }[]): string {
  const [first] = errors;
  const where = first?.instancePath || 'as a whole';
  return `The input does not fit the algorithm: ${where} ${first?.message ?? 'is wrong'}.`;
}
