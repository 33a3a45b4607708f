import { stringifySearchWith } from '@tanstack/react-router';

const stringify = stringifySearchWith(JSON.stringify, JSON.parse);

/** Writes a list as a name that is repeated, as the API has it: `type=nlp&type=ml`. The router reads that by itself. */
export function stringifySearch(search: Record<string, unknown>): string {
  const pairs = Object.entries(search).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value]).map((each: unknown) => stringify({ [name]: each }).slice(1)),
  );
  const query = pairs.filter((pair) => pair !== '').join('&');
  return query === '' ? '' : `?${query}`;
}
