import { Validator, type OutputUnit } from '@cfworker/json-schema';
import { plainText } from '../../parts/plain-text.ts';
import { text } from '../../texts/text.ts';
import { isObject } from '../fields.ts';
import { losesDigits } from '../lists.ts';
import { referred } from './drawing.ts';
import { inCurrentWords, mapSchemas, type Schema } from './walk.ts';

/** What is wrong with which part of a value: from JSON pointers such as `/text` to sentences. */
export type Faults = ReadonlyMap<string, string>;

/** A check of values against a schema. The formats are left to the service, which may know more of them. */
export function checkOf(schema: unknown): (value: unknown) => Faults {
  const checked = mapSchemas(inCurrentWords(schema), (each) => {
    if (typeof each === 'boolean') return each;
    const { format: _, ...rest } = each;
    return rest;
  });
  return (value) => {
    try {
      const sent = withoutUndefined(value);
      const { errors } = new Validator(checked as Schema, '2020-12', false).validate(sent);
      const faults = new Map<string, string>();
      for (const [pointer, fault] of faultsIn(errors, checked))
        if (!faults.has(pointer)) faults.set(pointer, fault);
      for (const [pointer, fault] of longNumbersIn(errors, checked, sent)) faults.set(pointer, fault);
      return faults;
    } catch {
      // A reference to nowhere, or a pattern in another notation: the service judges.
      return new Map();
    }
  };
}

/** A copy without members that are `undefined`, which JSON does not have. */
export function withoutUndefined(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((each) => (each === undefined ? null : withoutUndefined(each)));
  if (!isObject(value)) return value;
  const entries = Object.entries(value).filter(([, each]) => each !== undefined);
  return Object.fromEntries(entries.map(([name, each]) => [name, withoutUndefined(each)]));
}

/** Keywords whose faults only say that there are others below. */
const JOINING = new Set([
  '$ref',
  'allOf',
  'properties',
  'items',
  'prefixItems',
  'patternProperties',
  'if',
  'then',
  'else',
  'dependentSchemas',
]);

function faultsIn(errors: readonly OutputUnit[], schema: unknown): [string, string][] {
  const found: [string, string][] = [];
  for (let i = 0; i < errors.length; i += 1) {
    const error = errors[i]!;
    if (error.keyword === 'anyOf' || error.keyword === 'oneOf') {
      const within = errors
        .slice(i + 1)
        .filter(({ keywordLocation }) => keywordLocation.startsWith(`${error.keywordLocation}/`));
      found.push(...faultsOfChoice(error, within, schema));
      i += within.length;
    } else if (error.keyword === 'additionalProperties' || error.keyword === 'unevaluatedProperties') {
      // The name that is not known is told by the fault below it.
      if (errors[i + 1]?.keyword === 'false')
        found.push([pointerOf(errors[i + 1]!), text.form.faults.unknown]);
    } else if (!JOINING.has(error.keyword) && error.keyword !== 'false') {
      found.push(faultOf(error, schema));
    }
  }
  return found;
}

/** Of a choice, the faults of the only kind that the value may have been meant as; else one fault for all. */
function faultsOfChoice(
  error: OutputUnit,
  within: readonly OutputUnit[],
  schema: unknown,
): [string, string][] {
  const branches: Record<string, OutputUnit[]> = {};
  for (const each of within) {
    const branch = each.keywordLocation.slice(error.keywordLocation.length + 1).split('/')[0]!;
    (branches[branch] ??= []).push(each);
  }
  const meant = Object.values(branches).filter(
    (branch) =>
      !branch.some(
        ({ keyword, instanceLocation }) =>
          (['type', 'const', 'enum'].includes(keyword) && instanceLocation === error.instanceLocation) ||
          (keyword === 'const' && parentOf(instanceLocation) === error.instanceLocation),
      ),
  );
  if (meant.length === 1) return faultsIn(meant[0]!, schema);
  if (within.every(({ keyword }) => keyword === 'const')) {
    const values = within.map(({ keywordLocation }) => plainText(valueAt(schema, keywordLocation)));
    return [[pointerOf(error), text.form.faults.enum(values.join(', '))]];
  }
  return [[pointerOf(error), text.form.faults.choice]];
}

function parentOf(location: string): string {
  return location.slice(0, location.lastIndexOf('/'));
}

function pointerOf({ instanceLocation }: OutputUnit): string {
  return decodeURIComponent(instanceLocation.slice(1));
}

/** Whole numbers with more digits than a number keeps are still texts, and their faults would be about that. */
function longNumbersIn(
  errors: readonly OutputUnit[],
  schema: unknown,
  value: unknown,
): readonly (readonly [string, string])[] {
  const { minimum, maximum } = text.form.faults.bounds;
  return errors.flatMap((error) => {
    if (error.keyword !== 'type') return [];
    const types = [valueAt(schema, error.keywordLocation)].flat();
    const typed = valueAt(value, error.instanceLocation);
    if (!types.includes('integer') && !types.includes('number')) return [];
    if (typeof typed !== 'string' || !losesDigits(typed.trim())) return [];
    const isLow = typed.trim().startsWith('-');
    return [
      [pointerOf(error), isLow ? minimum(Number.MIN_SAFE_INTEGER) : maximum(Number.MAX_SAFE_INTEGER)],
    ] as const;
  });
}

function faultOf(error: OutputUnit, schema: unknown): [string, string] {
  const { faults } = text.form;
  const { keyword } = error;
  if (keyword === 'required') {
    const name = /"(.*)"/s.exec(error.error)?.[1] ?? '';
    return [`${pointerOf(error)}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`, faults.required];
  }
  const bound = valueAt(schema, error.keywordLocation);
  if (bound === undefined) return [pointerOf(error), faults.other];
  if (keyword === 'type') return [pointerOf(error), faults.type([bound].flat().map(String))];
  if (keyword === 'enum')
    return [pointerOf(error), faults.enum((bound as unknown[]).map(plainText).join(', '))];
  if (keyword === 'const') return [pointerOf(error), faults.const(plainText(bound))];
  const say = (faults.bounds as Record<string, (bound: number) => string>)[keyword];
  return [
    pointerOf(error),
    say && typeof bound === 'number' ? say(bound) : (faults.others[keyword] ?? faults.other),
  ];
}

/** The value of a keyword, which is found over the references that the check followed. */
function valueAt(root: unknown, location: string): unknown {
  let found = root;
  for (const part of location.split('/').slice(1)) {
    const name = decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~');
    found = isObject(found) || Array.isArray(found) ? (found as Schema)[name] : undefined;
    if (name === '$ref' && typeof found === 'string') found = referred(root, found);
  }
  return found;
}
