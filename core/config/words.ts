import type { TSchema } from 'typebox';

/** The parts of a JSON Schema that a setting may use. */
interface SchemaParts {
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly SchemaParts[];
  readonly items?: SchemaParts;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly format?: string;
  readonly description?: string;
}

/** Describes the accepted values of a schema: `a whole number from 1 to 65535`. A description takes precedence. */
export function inWords(schema: TSchema): string {
  return words(schema as SchemaParts);
}

function words(schema: SchemaParts): string {
  if (schema.description) return schema.description;
  const choices = choicesOf(schema);
  if (choices) return choices.length === 1 ? choices[0]! : `one of ${choices.join(', ')}`;
  if (schema.anyOf) return schema.anyOf.map(words).join(', or ');
  const types = typeof schema.type === 'string' ? [schema.type] : (schema.type ?? []);
  return types.map((type) => typeInWords(type, schema)).join(', or ') || 'any value';
}

function choicesOf(schema: SchemaParts): string[] | undefined {
  if (schema.const !== undefined) return [JSON.stringify(schema.const)];
  if (schema.enum) return schema.enum.map((choice) => JSON.stringify(choice));
  if (schema.anyOf?.length && schema.anyOf.every((part) => part.const !== undefined)) {
    return schema.anyOf.map((part) => JSON.stringify(part.const));
  }
  return undefined;
}

function typeInWords(type: string, schema: SchemaParts): string {
  switch (type) {
    case 'integer':
      return `a whole number${range(schema.minimum, schema.maximum)}`;
    case 'number':
      return `a number${range(schema.minimum, schema.maximum)}`;
    case 'boolean':
      return 'true or false';
    case 'array':
      return schema.items ? `a list, each ${words(schema.items)}` : 'a list';
    case 'null':
      return 'nothing (null)';
    case 'string':
      return text(schema);
    default:
      return `an ${type}`;
  }
}

function text(schema: SchemaParts): string {
  const isOnlyNonEmpty = schema.minLength === 1 && schema.maxLength === undefined;
  const kind = schema.format === 'uri' ? 'a URL' : isOnlyNonEmpty ? 'non-empty text' : 'text';
  const length = isOnlyNonEmpty ? '' : range(schema.minLength, schema.maxLength).replace(' from', ' of');
  const pattern = schema.pattern ? ` matching ${schema.pattern}` : '';
  return `${kind}${length && `${length} characters`}${pattern}`;
}

function range(low: number | undefined, high: number | undefined): string {
  if (low !== undefined && high !== undefined) return ` from ${low} to ${high}`;
  if (low !== undefined) return ` of at least ${low}`;
  return high === undefined ? '' : ` of at most ${high}`;
}
