import type { ErrorObject } from 'ajv';
import type { SchemaFinding } from '../contract.ts';
import { pointerTo } from './json.ts';

/** The most findings that one answer lists. */
export const MOST = 20;
const LONGEST_LIST = 200;

function listed(values: readonly unknown[]): string {
  const text = values.map((value) => JSON.stringify(value)).join(', ');
  return text.length > LONGEST_LIST ? `${text.slice(0, LONGEST_LIST)} …` : text;
}

function types(of: unknown): string {
  const names = Array.isArray(of) ? of.map(String) : String(of).split(',');
  return names
    .map((name) => (name === 'null' ? name : /^[aio]/.test(name) ? `an ${name}` : `a ${name}`))
    .join(' or ');
}

function findingOf(error: ErrorObject): SchemaFinding {
  const here = error.instancePath;
  const params = error.params as Record<string, unknown>;
  const name = (key: string) => here + pointerTo(String(params[key]));
  switch (error.keyword) {
    case 'required':
      return { pointer: name('missingProperty'), message: 'is required.' };
    case 'additionalProperties':
      return { pointer: name('additionalProperty'), message: 'is not a known field.' };
    case 'unevaluatedProperties':
      return { pointer: name('unevaluatedProperty'), message: 'is not a known field.' };
    case 'type':
      return { pointer: here, message: `must be ${types(params['type'])}.` };
    case 'enum': {
      const values = params['allowedValues'] as readonly unknown[];
      const message = values.length === 0 ? 'may have no value.' : `must be one of ${listed(values)}.`;
      return { pointer: here, message };
    }
    case 'const':
      return { pointer: here, message: `must be ${listed([params['allowedValue']])}.` };
    default:
      return { pointer: here, message: `${(error.message ?? 'breaks the schema').slice(0, LONGEST_LIST)}.` };
  }
}

/** Readable findings: at most twenty, without duplicates. */
export function findingsOf(errors: readonly ErrorObject[] | null | undefined): SchemaFinding[] {
  const found = new Map<string, SchemaFinding>();
  for (const error of errors ?? []) {
    if (found.size === MOST) break;
    const finding = findingOf(error);
    found.set(`${finding.pointer} ${finding.message}`, finding);
  }
  return [...found.values()];
}
