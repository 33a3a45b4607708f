import { Ajv2020, type Options, type ValidateFunction } from 'ajv/dist/2020.js';
import type { SchemaFinding } from '../contract.ts';
import { findingsOf } from './findings.ts';
import { formats } from './formats.ts';
import { forAjv } from './for-ajv.ts';
import type { JsonObject } from './json.ts';
import { choice } from './keywords/choice.ts';
import { multipleOf } from './keywords/multiple-of.ts';
import { uniqueItems } from './keywords/unique-items.ts';
import { unevaluatedItems } from './keywords/unevaluated-items.ts';
import { linearEngine } from './patterns/linear-pattern.ts';

/** All findings are collected only from values of at most this many parts, since each part may have one. */
const GATHER_UP_TO = 1_000;

const replaced = [choice, multipleOf, uniqueItems, unevaluatedItems];

const inherited = Object.getOwnPropertyNames(Object.prototype).map((name) => JSON.stringify(name));

/** Uses a new ajv for each schema, because an instance never frees what it compiled. */
function compileWith(schema: JsonObject, more: Options): ValidateFunction {
  const { $schema: _dialect, ...body } = forAjv(schema);
  const text = JSON.stringify(schema);
  const ajv = new Ajv2020({
    strict: false,
    logger: false,
    meta: false,
    validateSchema: false,
    inlineRefs: false,
    // Slower, and only needed when a schema names inherited members such as `constructor`.
    ownProperties: inherited.some((name) => text.includes(name)),
    formats: { ...formats },
    code: { regExp: linearEngine },
    ...more,
  });
  // It throws at this annotation, since drafts before 06 had it.
  ajv.removeKeyword('id');
  for (const keyword of replaced) ajv.removeKeyword(keyword.keyword).addKeyword(keyword);
  return ajv.compile(body);
}

/** Compiles an acceptable schema into a check that stops at the first finding. Throws when it cannot be compiled. */
export function compileCheck(schema: JsonObject): (value: unknown) => SchemaFinding[] {
  const validate = compileWith(schema, {});
  return (value) => (validate(value) ? [] : findingsOf(validate.errors));
}

/** As `compileCheck`, but collects all findings of values that are not large. */
export function compileThoroughCheck(schema: JsonObject): (value: unknown) => SchemaFinding[] {
  const check = compileCheck(schema);
  let gather: ValidateFunction | undefined;
  return (value) => {
    const findings = check(value);
    if (findings.length === 0 || !isSmall(value)) return findings;
    gather ??= compileWith(schema, { allErrors: true });
    gather(value);
    return findingsOf(gather.errors);
  };
}

function isSmall(value: unknown): boolean {
  const open = [value];
  let parts = 0;
  while (open.length > 0) {
    const part = open.pop();
    parts += 1;
    if (part === null || typeof part !== 'object') continue;
    const inside = Object.values(part);
    if (parts + open.length + inside.length > GATHER_UP_TO) return false;
    open.push(...inside);
  }
  return true;
}
