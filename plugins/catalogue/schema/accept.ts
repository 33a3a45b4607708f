import { Ajv2020 } from 'ajv/dist/2020.js';
import type { SchemaFinding } from '../contract.ts';
import { compileCheck } from './compile.ts';
import { findingsOf } from './findings.ts';
import type { JsonObject } from './json.ts';
import { brokenRules } from './rules.ts';

/** A schema that fails on these, or takes long, would do so on everything. */
const TRIVIAL_VALUES = [{}, [], '', 0, true, null];

const dialect = new Ajv2020({ strict: false, logger: false });

function brokenDialect(schema: JsonObject): SchemaFinding[] {
  const { $schema: _dialect, ...body } = schema;
  return dialect.validateSchema(body) === true ? [] : findingsOf(dialect.errors);
}

function brokenUse(schema: JsonObject, compiled: () => void): SchemaFinding[] {
  try {
    const check = compileCheck(schema);
    compiled();
    for (const value of TRIVIAL_VALUES) check(value);
    return [];
  } catch (error) {
    if (error instanceof RangeError) return [{ pointer: '', message: 'refers to itself without an end.' }];
    const reason = error instanceof Error ? error.message.slice(0, 200) : String(error);
    return [{ pointer: '', message: `cannot be used: ${reason}.` }];
  }
}

/**
 * What keeps a schema from being used, with pointers relative to it; empty when it is acceptable. Takes as long as
 * the schema makes it: run it where it can be stopped. `compiled` is called between compiling and trying it out.
 */
export function schemaFaults(schema: JsonObject, compiled: () => void): SchemaFinding[] {
  const rules = brokenRules(schema);
  if (rules.length > 0) return rules;
  const faults = brokenDialect(schema);
  return faults.length > 0 ? faults : brokenUse(schema, compiled);
}

/** Loads what the first schema would otherwise wait for. */
export function warmUp(): void {
  schemaFaults({ type: 'object' }, () => undefined);
}
