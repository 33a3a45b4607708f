import { InputRejected } from '../input-rejected.ts';

type Described = {
  readonly title: string;
  readonly description: string;
  /** Place in a form. */
  readonly 'x-order'?: number;
  /** Hidden in a form until asked for. */
  readonly 'x-advanced'?: boolean;
};

export type NumberParam = Described & {
  readonly type: 'number' | 'integer';
  readonly default: number;
  readonly min: number;
  readonly max: number;
};

export type BooleanParam = Described & {
  readonly type: 'boolean';
  readonly default: boolean;
};

export type ChoiceParam = Described & {
  readonly type: 'string';
  readonly default: string;
  readonly enum: readonly string[];
};

export type ParamSpec = NumberParam | BooleanParam | ChoiceParam;
export type ParamSpecs = Readonly<Record<string, ParamSpec>>;

type ValueOf<S> = S extends { readonly enum: readonly (infer E)[] }
  ? E
  : S extends { readonly type: 'boolean' }
    ? boolean
    : number;

/** The values of parameters, as an algorithm receives them. */
export type ParamValues<S> = { readonly [K in keyof S]: ValueOf<S[K]> };

/**
 * Fills defaults in and checks. The catalogue does so for the seeded versions, but an administrator may point a
 * version without any `params` at an embedded algorithm.
 */
export function completeParams<S extends ParamSpecs>(
  specs: S,
  given: Readonly<Record<string, unknown>>,
): ParamValues<S> {
  const values = Object.entries(specs).map(([name, spec]) => [
    name,
    checked(name, spec, given[name] ?? spec.default),
  ]);
  return Object.fromEntries(values) as ParamValues<S>;
}

function checked(name: string, spec: ParamSpec, value: unknown): unknown {
  const expected = brokenRule(spec, value);
  if (expected)
    throw new InputRejected(`The parameter "${name}" is ${JSON.stringify(value)}, but must be ${expected}.`);
  return value;
}

function brokenRule(spec: ParamSpec, value: unknown): string | undefined {
  if (spec.type === 'boolean') return typeof value === 'boolean' ? undefined : 'true or false';
  if (spec.type === 'string')
    return spec.enum.includes(value as string) ? undefined : `one of ${spec.enum.join(', ')}`;
  const fits = typeof value === 'number' && value >= spec.min && value <= spec.max;
  if (fits && (spec.type === 'number' || Number.isInteger(value))) return undefined;
  return `${spec.type === 'integer' ? 'a whole number' : 'a number'} from ${spec.min} to ${spec.max}`;
}
