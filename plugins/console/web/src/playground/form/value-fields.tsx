import { getDefaultRegistry } from '@rjsf/core';
import type { FieldProps, Registry, RegistryFieldsType } from '@rjsf/utils';
import { useContext } from 'react';
import { kindOf, type FieldSchema, type Kind } from '../fields.ts';
import { DescriptionContext } from './contexts.ts';
import { controlOf } from './controls.tsx';

/** The schema with those of its items in place of references, by which the kind of a list is told. */
export function wholeSchema(schema: FieldSchema, { schemaUtils }: Registry): FieldSchema {
  const { items } = schema;
  if (schema.type !== 'array' || !items || Array.isArray(items)) return schema;
  const item = schemaUtils.retrieveSchema(items as object) as FieldSchema;
  return { ...schema, items: item.type === 'array' ? wholeSchema(item, { schemaUtils } as Registry) : item };
}

/** How a field is entered; `fields` where it is drawn as a group or a list of others. */
export function kindOfField(schema: FieldSchema, registry: Registry): Kind {
  const { anyOf, oneOf } = schema as { readonly anyOf?: unknown; readonly oneOf?: unknown };
  return anyOf || oneOf ? 'fields' : kindOf(wholeSchema(schema, registry));
}

function ValueField({
  schema,
  registry,
  fieldPathId,
  formData,
  required = false,
  name,
  title,
  onChange,
}: FieldProps) {
  const { describedBy, isWrong } = useContext(DescriptionContext);
  const own = wholeSchema(schema as FieldSchema, registry);
  const none = own['x-nullable'] && required ? null : undefined;
  return controlOf({
    id: fieldPathId.$id,
    schema: own,
    label: own.title ?? title ?? name,
    value: formData ?? undefined,
    change: (value) => onChange(value ?? none, fieldPathId.path),
    describedBy,
    isWrong,
    isRequired: required,
  });
}

const { ArrayField } = getDefaultRegistry().fields as {
  readonly ArrayField: React.ComponentType<FieldProps>;
};

/** Lists of numbers, texts and choices have one control; others are drawn item by item. */
function ListField(props: FieldProps) {
  const isOne = kindOfField(props.schema as FieldSchema, props.registry) !== 'fields';
  return isOne ? <ValueField {...props} /> : <ArrayField {...props} />;
}

export const fields: RegistryFieldsType = {
  StringField: ValueField,
  NumberField: ValueField,
  BooleanField: ValueField,
  NullField: ValueField,
  FallbackField: ValueField,
  ArrayField: ListField,
};
