import { Ajv2020, MissingRefError, type ErrorObject } from 'ajv/dist/2020.js';
import type { SchemaFinding } from '../contract.ts';
import { compileCheck } from './compile.ts';
import { findingsOf, MOST } from './findings.ts';
import { withPrefixItems } from './for-ajv.ts';
import type { JsonObject } from './json.ts';
import { brokenRules } from './rules.ts';
import { subschemasOf } from './vocabulary.ts';

/** A schema that fails or takes long on one of these would do so on every value. */
const TRIVIAL_VALUES = [{}, [], '', 0, true, null];

const NOT_HERE = 'must refer to a place in this schema; put what it needs under $defs.';

const dialect = new Ajv2020({ strict: false, logger: false, allErrors: true });

function brokenDialect(schema: JsonObject): SchemaFinding[] {
  const { $schema: _dialect, ...body } = withPrefixItems(schema);
  return dialect.validateSchema(body) === true ? [] : findingsOf(firstAtEachPlace(dialect.errors ?? []));
}

/** The first error at a place says what it must be; others there are of the forms that the dialect allows instead. */
function firstAtEachPlace(errors: readonly ErrorObject[]): ErrorObject[] {
  const first = new Map<string, ErrorObject>();
  for (const error of errors) {
    if (!first.has(error.instancePath)) first.set(error.instancePath, error);
  }
  return [...first.values()];
}

function brokenUse(schema: JsonObject, compiled: () => void): SchemaFinding[] {
  try {
    const check = compileCheck(schema);
    compiled();
    for (const value of TRIVIAL_VALUES) check(value);
    return [];
  } catch (error) {
    if (error instanceof MissingRefError) return unresolvedReferences(schema, error);
    if (error instanceof RangeError) return [{ pointer: '', message: 'refers to itself without an end.' }];
    const reason = error instanceof Error ? error.message.slice(0, 200) : String(error);
    return [{ pointer: '', message: `cannot be used: ${reason}.` }];
  }
}

/** Every reference that ajv cannot resolve: it stops at the first, so that one is left out and the others are tried again. */
function unresolvedReferences(schema: JsonObject, first: MissingRefError): SchemaFinding[] {
  const rest = structuredClone(schema);
  const found: SchemaFinding[] = [];
  let error: unknown = first;
  while (error instanceof MissingRefError && found.length < MOST) {
    const pointer = leaveOut(rest, error.message);
    if (pointer === undefined) break;
    found.push({ pointer, message: NOT_HERE });
    error = failureOf(rest);
  }
  return found.length > 0 ? found : [{ pointer: '', message: NOT_HERE }];
}

function failureOf(schema: JsonObject): unknown {
  try {
    compileCheck(schema);
  } catch (error) {
    return error;
  }
}

/** Removes the reference that ajv could not resolve, which its error tells only in its message; where it was. */
function leaveOut(schema: Record<string, unknown>, message: string, pointer = ''): string | undefined {
  for (const keyword of ['$ref', '$dynamicRef']) {
    const target = schema[keyword];
    if (typeof target === 'string' && message.startsWith(`can't resolve reference ${target} from id`)) {
      delete schema[keyword];
      return `${pointer}/${keyword}`;
    }
  }
  for (const sub of subschemasOf(schema)) {
    const found = leaveOut(sub.schema as Record<string, unknown>, message, pointer + sub.pointer);
    if (found !== undefined) return found;
  }
  return undefined;
}

/**
 * The faults of a schema, with pointers relative to it; empty when it is acceptable. The schema decides how long this
 * takes, so run one that is not certainly cheap where it can be stopped. `compiled` is called after compiling and before
 * trying the schema out.
 */
export function schemaFaults(schema: JsonObject, compiled: () => void = () => undefined): SchemaFinding[] {
  const rules = brokenRules(schema);
  const broken = new Set(rules.map(({ pointer }) => pointer));
  const faults = [...rules, ...brokenDialect(schema).filter(({ pointer }) => !broken.has(pointer))];
  return faults.length > 0 ? faults.slice(0, MOST) : brokenUse(schema, compiled);
}

/** Compiles a schema in advance, so that the first real one is not slow. */
export function warmUp(): void {
  schemaFaults({ type: 'object' });
}
