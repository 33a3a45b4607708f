import type { Static, TSchema } from 'typebox';
import type { ParamSpecs, ParamValues } from './params.ts';

/** Everything about a sample but its code: what the catalogue shows and what its input and output look like. */
export interface About<
  I extends TSchema = TSchema,
  P extends ParamSpecs = ParamSpecs,
  O extends TSchema = TSchema,
> {
  /** The last part of its URL `plugin:samples/<name>`, and its folder. */
  readonly name: string;
  readonly title: string;
  /** What it does, by which method, its limits, and when it is wrong. */
  readonly description: string;
  readonly type: 'computer_vision' | 'nlp' | 'ml' | 'time_series' | 'optimisation';
  readonly version: string;
  readonly input: I;
  readonly params: P;
  readonly output: O;
  /** Input that runs as it is; part of the published `input_schema`. */
  readonly example: Static<I>;
  readonly tags: readonly string[];
  /** The first one is the default. What each answers stands in `assets/<name>/outputs.json`, in the same order. */
  readonly examples: readonly [SampleExample<I>, SampleExample<I>, ...SampleExample<I>[]];
}

/** An example of a sample. */
export interface SampleExample<I extends TSchema = TSchema> {
  readonly name: string;
  readonly description?: string;
  /** `example`, unless it is given. */
  readonly input?: Static<I>;
  readonly params?: Readonly<Record<string, unknown>>;
}

/** Declares a sample; the compiler checks that the example fits the schema. */
export function about<I extends TSchema, const P extends ParamSpecs, O extends TSchema>(
  of: About<I, P, O>,
): About<I, P, O> {
  return of;
}

export type InputOf<A> = A extends About<infer I, infer _P, infer _O> ? Static<I> : never;
export type ParamsOf<A> = A extends About<infer _I, infer P, infer _O> ? ParamValues<P> : never;
export type OutputOf<A> = A extends About<infer _I, infer _P, infer O> ? Static<O> : never;
