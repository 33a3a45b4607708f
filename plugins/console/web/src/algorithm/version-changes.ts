import type { Version } from '../api/queries.ts';
import { readFields } from '../playground/fields.ts';

export type Part = 'input' | 'parameters' | 'output';

/** What a version added to one part, took from it, or describes in another way. */
export interface PartChanges {
  readonly part: Part;
  readonly added: readonly string[];
  readonly removed: readonly string[];
  readonly changed: readonly string[];
}

/** What differs between a version and the one before it, as far as a caller notices. */
export function changesSince(before: Version, version: Version): readonly PartChanges[] {
  return [
    partChanges('input', before.input_schema, version.input_schema),
    partChanges('parameters', { properties: before.params }, { properties: version.params }),
    partChanges('output', before.output_schema, version.output_schema),
  ].filter(({ added, removed, changed }) => added.length + removed.length + changed.length > 0);
}

function partChanges(part: Part, before: unknown, after: unknown): PartChanges {
  const old = described(before);
  const now = described(after);
  return {
    part,
    added: [...now.keys()].filter((name) => !old.has(name)),
    removed: [...old.keys()].filter((name) => !now.has(name)),
    changed: [...now.keys()].filter((name) => old.has(name) && old.get(name) !== now.get(name)),
  };
}

/** Each field with all that is said of it. */
function described(schema: unknown): ReadonlyMap<string, string> {
  return new Map(
    readFields(schema).map(({ name, schema: field, isRequired }) => [
      name,
      JSON.stringify([isRequired, field]),
    ]),
  );
}
