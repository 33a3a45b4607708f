/** What the form understands of a JSON Schema; anything else is entered as JSON. */
export interface FieldSchema {
  readonly type?: string | readonly string[];
  readonly title?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly enum?: readonly unknown[];
  readonly format?: string;
  readonly contentMediaType?: string;
  readonly items?: FieldSchema;
  readonly properties?: Readonly<Record<string, FieldSchema>>;
  readonly required?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  /** Parameters call their bounds so. */
  readonly min?: number;
  readonly max?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly 'x-order'?: number;
  readonly 'x-advanced'?: boolean;
  readonly 'x-view'?: unknown;
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
    .sort((a, b) => (a.schema['x-order'] ?? 50) - (b.schema['x-order'] ?? 50));
}

const COMPOSED = ['$ref', 'allOf', 'anyOf', 'oneOf', 'not', 'if', 'patternProperties'];

/** Whether all of a schema can be seen in its properties. */
export function canBeDrawn(schema: unknown): boolean {
  if (!isObject(schema)) return false;
  if (COMPOSED.some((keyword) => keyword in schema)) return false;
  return readFields(schema).length > 0;
}

export type Kind =
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
  | 'group'
  | 'json';

/** How a value is entered. */
export function kindOf(schema: FieldSchema): Kind {
  if (COMPOSED.some((keyword) => keyword in schema)) return 'json';
  if (schema.enum && schema.enum.every((value) => ['string', 'number'].includes(typeof value)))
    return 'choice';
  if (schema.type === 'boolean') return 'switch';
  if (schema.type === 'number' || schema.type === 'integer') return 'number';
  if (schema.type === 'string') return kindOfText(schema);
  if (schema.type === 'array' && schema.items) return kindOfList(schema.items);
  return schema.type === 'object' && canBeDrawn(schema) ? 'group' : 'json';
}

function kindOfText({ contentMediaType, format, maxLength = 0 }: FieldSchema): Kind {
  if (contentMediaType?.startsWith('image/')) return 'picture';
  return format === 'textarea' || maxLength > 400 ? 'text' : 'line';
}

function kindOfList(items: FieldSchema): Kind {
  if (items.enum && items.enum.length <= 40 && items.enum.every((value) => typeof value === 'string'))
    return 'choices';
  if (items.type === 'number' || items.type === 'integer') return 'numbers';
  if (items.type === 'array' && (items.items?.type === 'number' || items.items?.type === 'integer'))
    return 'rows';
  return items.type === 'string' ? 'lines' : 'json';
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
