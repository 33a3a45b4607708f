const LONGEST_VALUE = 60;

/**
 * Where in a file a JSON Pointer leads, for people: the names on the way, and the value that stands there. Empty where it
 * passes no name and ends at no value.
 */
export function placeOf(file: unknown, pointer: string): string {
  const names: string[] = [];
  let here: unknown = file;
  for (const key of pointer.split('/').slice(1).map(unescaped)) {
    here = isObject(here) && Object.hasOwn(here, key) ? here[key] : undefined;
    const name = isObject(here) ? (here['name'] ?? here['version']) : undefined;
    if (typeof name === 'string') names.push(JSON.stringify(name));
  }
  const value = isObject(here) || here === undefined ? [] : [`here ${shortened(JSON.stringify(here))}`];
  const parts = [...(names.length > 0 ? [`of ${names.join(', ')}`] : []), ...value];
  return parts.length > 0 ? ` (${parts.join(', ')})` : '';
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

function unescaped(key: string): string {
  return key.replaceAll('~1', '/').replaceAll('~0', '~');
}

function shortened(text: string): string {
  return text.length > LONGEST_VALUE ? `${text.slice(0, LONGEST_VALUE)}…` : text;
}
