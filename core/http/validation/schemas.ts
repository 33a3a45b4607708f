import Type, { type Static, type TObject, type TSchema } from 'typebox';

/** Gives a schema a name: it becomes a component of the OpenAPI document. */
export function named<S extends TSchema>(name: string, schema: S): S {
  return Object.defineProperties({} as S, {
    ...Object.getOwnPropertyDescriptors(schema),
    'x-component': { value: name, enumerable: true },
  });
}

/** `T` or null: as a list of types for simple schemas, otherwise as a union that keeps the name of `T`. */
export function nullable<S extends TSchema>(schema: S) {
  const {
    type,
    enum: values,
    const: value,
    'x-component': name,
  } = schema as Readonly<Record<string, unknown>>;
  const isPlain =
    typeof type === 'string' && values === undefined && value === undefined && name === undefined;
  const widened = isPlain ? { ...schema, type: [type, 'null'] } : Type.Union([schema, Type.Null()]);
  return Type.Unsafe<Static<S> | null>(widened);
}

/** An object of any content. */
export function jsonObject(
  options: { readonly description?: string; readonly examples?: readonly unknown[] } = {},
) {
  return Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true, ...options });
}

/**
 * An ISO 8601 time: in answers in UTC with milliseconds; `timeIn` reads it from requests. The document shows an example of
 * its own unless one is given; null for one that may be null.
 */
export function timestamp(description?: string, example?: string | null) {
  return Type.String({
    format: 'date-time',
    ...(description ? { description } : {}),
    ...(example === undefined ? {} : { examples: [example] }),
  });
}

/** `{message}`: the answer of deletions. */
export const MessageAnswer = named(
  'Message',
  Type.Object({ message: Type.String({ description: 'What was done.', examples: ['Done.'] }) }),
);

const paging = {
  // Larger than any list, and small enough for an integer of either database.
  skip: Type.Integer({
    minimum: 0,
    maximum: 1_000_000_000,
    default: 0,
    description: 'Entries to pass over.',
  }),
  limit: Type.Integer({
    minimum: 1,
    maximum: 1000,
    default: 100,
    description: 'Entries to answer at most.',
  }),
};

/**
 * `skip` and `limit` with the defaults and bounds of every list, together with further query values. A list whose length is
 * bounded otherwise gives its own `limit`, which is optional and has no default.
 */
export function PagingQuery<P extends Record<string, TSchema>>(
  more: P,
): TObject<P & Omit<typeof paging, keyof P>> {
  const { skip, limit } = { ...paging, ...more };
  return Type.Object({ ...more, skip, limit }, { additionalProperties: false });
}
