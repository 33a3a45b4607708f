import type { ParameterSpec, SchemaFinding } from '../contract.ts';
import { brokenBound } from '../schema/bounds.ts';
import { below, isObject, pointerTo } from '../schema/json.ts';
import { typeNamed, typeNames } from './types.ts';
import { brokenValue } from './value.ts';

const MOST = 100;
const LONGEST_NAME = 100;

function* brokenFields(spec: ParameterSpec): Generator<SchemaFinding> {
  const { type, min, max } = spec as Readonly<Record<string, unknown>>;
  if (type !== undefined && (typeof type !== 'string' || typeNamed(type) === undefined)) {
    yield { pointer: '/type', message: `must be one of ${typeNames.join(', ')}.` };
  }
  for (const [name, bound] of Object.entries({ min, max })) {
    if (bound !== undefined && typeof bound !== 'number')
      yield { pointer: `/${name}`, message: 'must be a number.' };
  }
  if (typeof min === 'number' && typeof max === 'number' && min > max) {
    yield { pointer: '/min', message: `must not be greater than max, which is ${max}.` };
  }
  if (spec['enum'] !== undefined && (!Array.isArray(spec['enum']) || spec['enum'].length === 0)) {
    yield { pointer: '/enum', message: 'must be a list of at least one value.' };
  }
}

function brokenSpec(name: string, spec: unknown): SchemaFinding[] {
  if (name === '' || name.length > LONGEST_NAME) {
    return [{ pointer: '', message: `must have a name of 1 to ${LONGEST_NAME} characters.` }];
  }
  if (!isObject(spec))
    return [{ pointer: '', message: 'must be an object with type, default, min and max.' }];
  const broken = [...brokenFields(spec)];
  if (broken.length > 0 || spec['default'] === undefined || spec['default'] === null) return broken;
  const message = brokenValue(spec['default'], spec);
  return message === undefined ? [] : [{ pointer: '/default', message }];
}

/** The faults in the description of a version's parameters; pointers are relative to it. */
export function brokenSpecs(params: Readonly<Record<string, unknown>>): SchemaFinding[] {
  const bound = brokenBound(params);
  if (bound !== undefined) return [{ pointer: '', message: bound }];
  const entries = Object.entries(params);
  if (entries.length > MOST) return [{ pointer: '', message: `must describe at most ${MOST} parameters.` }];
  return entries.flatMap(([name, spec]) => below(pointerTo(name), brokenSpec(name, spec)));
}
