import type { components } from 'vitrine/client';

export type Policy = components['schemas']['PayloadPolicy'];

/** What a policy has a rule for. */
export const FIELDS = ['input_data', 'params', 'output_data'] as const;
export type Field = (typeof FIELDS)[number];
export type Rules = Readonly<Record<Field, Rule>>;

/** What a record keeps of a field. */
export interface Rule {
  readonly mode: 'store' | 'redact' | 'hash' | 'drop';
  readonly pointers: readonly string[];
}

const REDACTED = '[redacted]';
const EVERY = '*';
const INDEX = /^(?:0|[1-9]\d*)$/;

/** What a record would keep of a value, as the service does it; null for nothing. */
export function keptOf(value: unknown, { mode, pointers }: Rule): unknown {
  if (mode === 'store') return value;
  if (mode !== 'redact') return null;
  const kept: unknown = structuredClone(value);
  for (const pointer of pointers) redactAt(kept, namesOf(pointer));
  return kept;
}

function namesOf(pointer: string): readonly string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'));
}

function redactAt(value: unknown, [name, ...below]: readonly string[]): void {
  if (name === undefined || typeof value !== 'object' || value === null) return;
  const members = value as Record<string, unknown>;
  for (const key of keysFor(value, name)) {
    if (below.length === 0) members[key] = REDACTED;
    else redactAt(members[key], below);
  }
}

function keysFor(value: object, name: string): readonly string[] {
  if (name === EVERY) return Object.keys(value);
  const isThere = Object.hasOwn(value, name) && (!Array.isArray(value) || INDEX.test(name));
  return isThere ? [name] : [];
}

const MOST_PLACES = 24;

/** The places of a value that can be hidden, each item of a list as any of them; those at the top first. */
export function placesIn(value: unknown): readonly string[] {
  const places = new Set<string>();
  const level: { readonly at: string; readonly value: unknown }[] = [{ at: '', value }];
  while (level.length > 0 && places.size < MOST_PLACES) {
    const { at, value: here } = level.shift()!;
    if (typeof here !== 'object' || here === null) continue;
    for (const [name, member] of Object.entries(here)) {
      const place = `${at}/${Array.isArray(here) ? EVERY : escaped(name)}`;
      if (places.has(place)) continue;
      places.add(place);
      level.push({ at: place, value: member });
    }
  }
  return [...places].slice(0, MOST_PLACES);
}

function escaped(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}
