/** What the form understands of a JSON Schema; anything else is entered as JSON. */
export interface FieldSchema {
  readonly type?: string | readonly string[];
  readonly title?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly examples?: readonly unknown[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly format?: string;
  readonly contentMediaType?: string;
  readonly contentEncoding?: string;
  /** Which pictures are taken, where `contentMediaType` is `image/*`. */
  readonly 'x-media-types'?: readonly string[];
  readonly items?: FieldSchema | readonly FieldSchema[];
  readonly properties?: Readonly<Record<string, FieldSchema>>;
  readonly required?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly 'x-order'?: number;
  readonly 'x-group'?: string;
  readonly 'x-advanced'?: boolean;
  readonly 'x-view'?: unknown;
  /** Set for drawing: the values to choose from, as the library of the forms replaces what `enum` does not name. */
  readonly 'x-values'?: readonly unknown[];
  /** Set for drawing: what these values are called. */
  readonly 'x-names'?: readonly string[];
  /** Set for drawing: `null` is allowed. */
  readonly 'x-nullable'?: boolean;
  /** Set for drawing: the value is entered as JSON. */
  readonly 'x-json'?: boolean;
}

export interface Field {
  readonly name: string;
  readonly schema: FieldSchema;
  readonly isRequired: boolean;
}

/** The properties of a schema in the order in which they are shown. */
export function readFields(schema: unknown): readonly Field[] {
  const { properties = {}, required = [] } = isObject(schema) ? (schema as FieldSchema) : {};
  if (!isObject(properties)) return [];
  return Object.entries(properties)
    .filter((entry): entry is [string, FieldSchema] => isObject(entry[1]))
    .map(([name, each]) => ({
      name,
      schema: each,
      isRequired: Array.isArray(required) && required.includes(name),
    }))
    .sort((a, b) => orderOf(a.schema) - orderOf(b.schema));
}

/** Where a field stands among the others. */
export function orderOf(schema: FieldSchema): number {
  return schema['x-order'] ?? 50;
}

export type Kind =
  | 'fixed'
  | 'choice'
  | 'choices'
  | 'switch'
  | 'number'
  | 'picture'
  | 'text'
  | 'line'
  | 'numbers'
  | 'rows'
  | 'lines'
  | 'json'
  /** Several fields, and not one control. */
  | 'fields';

/** How a value is entered. */
export function kindOf(schema: FieldSchema): Kind {
  if (schema['x-json']) return 'json';
  if (schema.const !== undefined) return 'fixed';
  if (schema['x-values']) return 'choice';
  if (schema.type === 'boolean') return schema['x-nullable'] ? 'choice' : 'switch';
  if (schema.type === 'number' || schema.type === 'integer') return 'number';
  if (schema.type === 'string') return kindOfText(schema);
  if (schema.type === 'array') return kindOfList(schema.items);
  return schema.type === 'null' ? 'fixed' : 'fields';
}

function kindOfText({ contentMediaType, format, maxLength = 0 }: FieldSchema): Kind {
  if (contentMediaType?.startsWith('image/')) return 'picture';
  return format === 'textarea' || maxLength > 400 ? 'text' : 'line';
}

function kindOfList(items: FieldSchema['items']): Kind {
  if (!items || !isOneSchema(items) || items['x-json']) return items && 'x-json' in items ? 'json' : 'fields';
  if (items['x-nullable']) return 'fields';
  if (items['x-values']) return items['x-values'].length <= 40 ? 'choices' : 'fields';
  if (isNumeric(items)) return 'numbers';
  if (items.type === 'array' && items.items && isOneSchema(items.items) && isNumeric(items.items))
    return 'rows';
  return items.type === 'string' && kindOfText(items) === 'line' ? 'lines' : 'fields';
}

function isOneSchema(items: NonNullable<FieldSchema['items']>): items is FieldSchema {
  return !Array.isArray(items);
}

function isNumeric({ type, 'x-values': values }: FieldSchema): boolean {
  return (type === 'number' || type === 'integer') && values === undefined;
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
