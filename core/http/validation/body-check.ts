import type { TSchema } from 'typebox';
import type { FieldError, Problem } from '../../errors/problem.ts';
import { ValidationFailed } from '../../errors/core-problems.ts';
import { isRecord } from '../../support/record.ts';
import type { Compiler } from './schema-compiler.ts';
import { compileNormaliser } from './normalise.ts';
import { compileListBounds } from './list-bounds.ts';
import { closedProperties, shapeOf } from './schema-shape.ts';
import { fieldErrors } from './validation-errors.ts';

/** Returns the declared part of a parsed body, or throws `ValidationFailed`. */
export type BodyCheck = (body: unknown) => unknown;

/**
 * Values are not coerced: "5" is not 5. Top-level fields that the schema does not name are dropped, so that a client may
 * send back what it read and can only set what is declared; `compileNormaliser` says what else is changed.
 */
export function compileBody(schema: TSchema, compiler: Compiler): BodyCheck {
  const validate = compiler.compile(schema);
  const declared = closedProperties(shapeOf(schema));
  const names = declared && new Set(Object.keys(declared));
  const normalise = compileNormaliser(shapeOf(schema));
  const longLists = compileListBounds(shapeOf(schema));
  return (body) => {
    const picked = names ? pick(body, names) : body;
    const value = normalise ? normalise(picked) : picked;
    const tooLong = longLists(value);
    if (tooLong.length > 0) throw brokenBody(tooLong);
    if (!validate(value)) throw brokenBody(fieldErrors(validate.errors ?? [], '/body'));
    return value;
  };
}

function brokenBody(errors: readonly FieldError[]): Problem {
  return ValidationFailed(summary(errors.length, 'body'), { errors });
}

function pick(body: unknown, names: ReadonlySet<string>): unknown {
  if (!isRecord(body) || hasOnly(body, names)) return body;
  const picked: Record<string, unknown> = {};
  for (const name of names) {
    if (Object.hasOwn(body, name)) picked[name] = body[name];
  }
  return picked;
}

/** True for most bodies, which then need no copy. */
function hasOnly(body: object, names: ReadonlySet<string>): boolean {
  for (const name in body) if (!names.has(name)) return false;
  return true;
}

/** The sentence above a list of broken rules. */
export function summary(count: number, location: string): string {
  return count === 1
    ? `One value of the ${location} breaks its schema.`
    : `${count} values of the ${location} break their schema.`;
}
