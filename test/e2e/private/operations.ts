/** A part of an OpenAPI document. */
type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

/** Names of parameters and fields by which an operation takes or answers an algorithm or a version. */
const NAMES = new Set(['algorithm_id', 'version_id', 'algorithms', 'versions']);

/** The operations of an OpenAPI document that take or answer an algorithm or a version: `GET /algorithms`. */
export function operationsAboutAlgorithms(document: { readonly paths: Json }): string[] {
  return Object.entries(document.paths as Record<string, Record<string, Json>>).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, operation]) => isAboutAlgorithms(operation, document, new Set()))
      .map(([method]) => `${method.toUpperCase()} ${path}`),
  );
}

/** Follows references. `algorithm` among the values of an enum is the subject of a rule. */
function isAboutAlgorithms(part: Json, document: object, seen: Set<string>): boolean {
  if (typeof part !== 'object' || part === null) return false;
  if (Array.isArray(part)) return part.some((item: Json) => isAboutAlgorithms(item, document, seen));
  return Object.entries(part).some(([name, value]: [string, Json]) => {
    if (name === 'example' || name === 'examples') return false;
    if (name === '$ref' && typeof value === 'string') {
      if (seen.has(value)) return false;
      seen.add(value);
      return isAboutAlgorithms(referred(document, value), document, seen);
    }
    if (name === 'name' && typeof value === 'string') return NAMES.has(value);
    if (name === 'enum' && Array.isArray(value)) return value.includes('algorithm');
    return NAMES.has(name) || isAboutAlgorithms(value, document, seen);
  });
}

function referred(document: object, pointer: string): Json {
  const names = pointer.slice(2).split('/');
  return names.reduce<Json>((part, name) => (part as Record<string, Json>)[name]!, document as Json);
}
