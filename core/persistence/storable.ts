import { ValidationFailed } from '../errors/core-problems.ts';

const UNSTORABLE = /\0|\p{Surrogate}/u;

/**
 * Refuses text that PostgreSQL cannot store, on SQLite as well, so that both engines answer the same: 422.
 */
export function refuseUnstorable(values: readonly unknown[]): void {
  for (const value of values) {
    if (typeof value === 'string' && UNSTORABLE.test(value)) throw unstorable();
  }
}

/** Like `refuseUnstorable` for the hot path with its large texts: checks only for NUL, which makes PostgreSQL refuse the whole batch. */
export function refuseNul(rows: readonly (readonly unknown[])[]): void {
  for (const row of rows) {
    for (const value of row) if (typeof value === 'string' && value.includes('\0')) throw unstorable();
  }
}

function unstorable(): Error {
  return ValidationFailed('A text has a NUL character or half of a surrogate pair. Send text without them.');
}
