import Type from 'typebox';

/** Rows and columns of one table at most. */
export const MAX_ROWS = 2000;
export const MAX_COLUMNS = 30;

/** A number whose square and sums still fit a double by far. */
export function finiteNumber() {
  return Type.Number({ minimum: -1e12, maximum: 1e12 });
}

/** A table of numbers, one row for each observation. */
export function rowsField(description: string) {
  return Type.Array(Type.Array(finiteNumber(), { minItems: 1, maxItems: MAX_COLUMNS }), {
    title: 'Rows',
    description,
    minItems: 2,
    maxItems: MAX_ROWS,
    'x-order': 0,
  });
}

/** Names of the columns of a table. */
export function namesField() {
  return Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 60 }), {
      title: 'Column names',
      description: 'One for each column; x1, x2 … where there are none.',
      maxItems: MAX_COLUMNS,
      uniqueItems: true,
      'x-order': 2,
    }),
  );
}

/** A figure that does not always exist. */
export function numberOrNull(description: string) {
  return Type.Union([Type.Number(), Type.Null()], { description });
}
