import { Validator } from '@cfworker/json-schema';
import { ROOT_SCHEMA_PREFIX, withIdRefPrefix, type RJSFSchema, type ValidatorType } from '@rjsf/utils';
import { withoutUndefined } from './checking.ts';
import { mapSchemas, type Schema } from './walk.ts';

/**
 * What the form asks of a validator: which of several schemas a value fits. It compiles no code, which the content
 * security policy forbids. The faults of the values are found by `checkOf`.
 */
export const formValidator: ValidatorType = {
  isValid: (schema, value, root) => fits(schema, value, root),
  validateFormData: () => ({ errors: [], errorSchema: {} }),
  rawValidation: () => ({ errors: [] }),
};

function fits(schema: RJSFSchema, value: unknown, root: RJSFSchema): boolean {
  try {
    const validator = new Validator(withIdRefPrefix(asItWas(schema) as Schema) as Schema, '2020-12');
    let whole = roots.get(root);
    if (!whole) roots.set(root, (whole = asItWas(root) as Schema));
    validator.addSchema(whole, ROOT_SCHEMA_PREFIX);
    return validator.validate(withoutUndefined(value)).valid;
  } catch {
    // A pattern in another notation, or no value at all.
    return false;
  }
}

const roots = new WeakMap<object, Schema>();

/** The schema without what was rewritten for drawing. */
function asItWas(schema: unknown): unknown {
  return mapSchemas(schema, (each) => {
    if (typeof each === 'boolean') return each;
    const { 'x-values': values, 'x-nullable': isNullable, ...rest } = each;
    const own = values === undefined ? rest : { ...rest, enum: values };
    return isNullable ? { anyOf: [own, { type: 'null' }] } : own;
  });
}
