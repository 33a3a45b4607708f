import Type from 'typebox';

/** Characters of one text at most. */
export const MAX_TEXT = 100_000;

/** A text field with a large box to type into. */
export function textField(title: string, description: string) {
  return Type.String({
    title,
    description,
    format: 'textarea',
    minLength: 1,
    maxLength: MAX_TEXT,
    'x-order': 0,
  });
}
