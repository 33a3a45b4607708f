import type { FuncKeywordDefinition } from 'ajv';
import { canonicalText } from '../json.ts';

type Check = ReturnType<NonNullable<FuncKeywordDefinition['compile']>>;

const isPart = (value: unknown): boolean => value !== null && typeof value === 'object';

function compile(allowedValues: readonly unknown[]): Check {
  const scalars = new Set(allowedValues.filter((value) => !isPart(value)));
  const parts = new Set(allowedValues.filter(isPart).map(canonicalText));
  const validate: Check = (value: unknown) => {
    if (isPart(value) ? parts.size > 0 && parts.has(canonicalText(value)) : scalars.has(value)) return true;
    validate.errors = [{ keyword: 'enum', params: { allowedValues } }];
    return false;
  };
  return validate;
}

/** Replaces ajv's `enum`, which refuses an empty list (it allows no value) and compares with each value in turn. */
export const choice = {
  keyword: 'enum',
  schemaType: 'array',
  compile,
} as const satisfies FuncKeywordDefinition;
