import type { JsonObject } from '../json.ts';

const FIELDS =
  /\b(?:with|having|containing|including|fields?|columns?|attributes?|properties)\b:?\s+(?:the\s+)?([^.;!?\n]+)/i;
const LEADING = /^(?:(?:an?|the|their|its|fields?|columns?)\s+)+/i;
const NUMBERS =
  /\b(?:numbers?|readings?|values?|series|measurements?|temperatures?|prices?|scores?|samples|points)\b/i;
const RANGE = /\b(?:between|from)\s+(-?\d+(?:\.\d+)?)\s+(?:and|to)\s+(-?\d+(?:\.\d+)?)/i;
const COUNT = /\b(\d{1,3})\b/;

const MOST_FIELDS = 20;
const MOST_ITEMS = 100;
const USUAL_ITEMS = 5;

/**
 * Reads from a prompt, by plain rules, what shape its data could have, as a JSON Schema: named fields make records,
 * words for numbers make a series. `undefined` when the prompt tells neither.
 */
export function schemaIn(prompt: string): JsonObject | undefined {
  const range = rangeIn(prompt);
  const fields = fieldsIn(prompt);
  const length = countIn(prompt.replace(RANGE, ''));
  if (fields.length > 0) return listOf('records', length, recordOf(fields));
  if (range !== undefined || NUMBERS.test(prompt))
    return listOf('values', length, { type: 'number', ...range });
  return undefined;
}

function listOf(name: string, length: number, items: JsonObject): JsonObject {
  const list = { type: 'array', minItems: length, maxItems: length, items };
  return { type: 'object', properties: { [name]: list }, required: [name] };
}

function recordOf(fields: readonly string[]): JsonObject {
  const properties = Object.fromEntries(fields.map((field) => [field, { type: typeFor(field) }]));
  return { type: 'object', properties, required: fields };
}

/** Names in a list: "name, age and e-mail address" are three. Longer phrases are prose, not names. */
function fieldsIn(prompt: string): string[] {
  const list = FIELDS.exec(prompt)?.[1]?.split(/,|\band\b|\bor\b/) ?? [];
  const names = list
    .map((item) => item.trim().replace(LEADING, ''))
    .filter((item) => /^[\p{L}][\p{L}\d_ -]{0,30}$/u.test(item));
  if (names.length < 2) return [];
  return [...new Set(names.map((name) => name.toLowerCase().replaceAll(/[ -]+/g, '_')))].slice(
    0,
    MOST_FIELDS,
  );
}

function typeFor(field: string): string {
  if (/age|year|month|day|count|quantity|number/.test(field)) return 'integer';
  if (/price|amount|cost|salary|income|lat|lon|temp|humidity|score|ratio|weight|height|value/.test(field))
    return 'number';
  return /^(is|has)_/.test(field) ? 'boolean' : 'string';
}

function rangeIn(prompt: string): { minimum: number; maximum: number } | undefined {
  const [, one, other] = RANGE.exec(prompt) ?? [];
  if (one === undefined || other === undefined) return undefined;
  return { minimum: Math.min(Number(one), Number(other)), maximum: Math.max(Number(one), Number(other)) };
}

function countIn(prompt: string): number {
  const count = Number(COUNT.exec(prompt)?.[1] ?? USUAL_ITEMS);
  return Math.min(Math.max(count, 1), MOST_ITEMS);
}
