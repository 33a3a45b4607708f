import type { FuncKeywordDefinition } from 'ajv';

type Check = ReturnType<NonNullable<FuncKeywordDefinition['compile']>>;

/** A power of ten up to this one is exact in a double, and so is a whole number of at most 15 digits. */
const MAX_EXACT_POWER = 22;
const SAFE = 1e15;

/** A number as its decimal digits and a power of ten: 19.99 is 1999 and -2. */
interface Decimal {
  readonly digits: bigint;
  readonly power: number;
}

/** The shortest decimal that reads as this double, which is what JSON had. */
function decimalOf(value: number): Decimal {
  const [mantissa = '', exponent = '0'] = String(value).split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  return { digits: BigInt(whole + fraction), power: Number(exponent) - fraction.length };
}

function isMultiple(value: Decimal, of: Decimal): boolean {
  const power = Math.min(value.power, of.power);
  const scaled = (number: Decimal): bigint => number.digits * 10n ** BigInt(number.power - power);
  return scaled(value) % scaled(of) === 0n;
}

/**
 * Checks in whole numbers of the last decimal of the divisor. A double of at most 15 digits is such a number exactly when
 * it is the quotient again; others are compared digit by digit.
 */
function compile(divisor: number): Check {
  const exact = decimalOf(divisor);
  const scale = 10 ** Math.max(0, -exact.power);
  const unit = Math.round(divisor * scale);
  const isQuick = scale <= 10 ** MAX_EXACT_POWER && unit < SAFE;
  const validate: Check = (value: number) => {
    const units = Math.round(value * scale);
    const isRight =
      isQuick && Math.abs(units) < SAFE
        ? units / scale === value && units % unit === 0
        : isMultiple(decimalOf(value), exact);
    if (isRight) return true;
    const message = `must be multiple of ${divisor}`;
    validate.errors = [{ keyword: 'multipleOf', params: { multipleOf: divisor }, message }];
    return false;
  };
  return validate;
}

/** Replaces ajv's keyword, which divides doubles: 0.3 by 0.1 and 19.99 by 0.01 are no whole numbers there. */
export const multipleOf = {
  keyword: 'multipleOf',
  type: 'number',
  schemaType: 'number',
  compile,
} as const satisfies FuncKeywordDefinition;
