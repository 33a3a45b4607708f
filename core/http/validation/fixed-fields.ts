import { isDeepStrictEqual } from 'node:util';
import type { TSchema } from 'typebox';
import { ValidationFailed } from '../../errors/core-problems.ts';
import { summary } from './body-check.ts';
import { closedProperties, shapeOf } from './schema-shape.ts';

/** Throws `ValidationFailed` for fields of a sent body that cannot be changed and differ from what is stored. */
export type FixedCheck = (sent: unknown, input: unknown) => Promise<void>;

/** `fixed` returns the stored fields that an operation cannot change. It is asked only about bodies with undeclared fields. */
export function checkFixed(body: TSchema, fixed: (input: unknown) => object | Promise<object>): FixedCheck {
  const declared = new Set(Object.keys(closedProperties(shapeOf(body)) ?? {}));
  return async (sent, input) => {
    const others = Object.entries(sent as object).filter(
      ([name, value]) => !declared.has(name) && value !== null,
    );
    if (others.length === 0) return;
    const stored = new Map(Object.entries(await fixed(input)));
    const errors = others
      .filter(([name, value]) => stored.has(name) && !isDeepStrictEqual(value, stored.get(name)))
      .map(([name]) => ({ pointer: `/body/${name}`, message: MESSAGE }));
    if (errors.length > 0) throw ValidationFailed(summary(errors.length, 'body'), { errors });
  };
}

const MESSAGE = 'cannot be changed here. Leave it out, or send it as it is.';
