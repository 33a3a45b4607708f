import type { JsonObject } from './json.ts';
import { ASSERTIONS } from './vocabulary.ts';

/** An older draft of JSON Schema whose documents are read as 2020-12, where that changes nothing. */
interface Draft {
  readonly name: string;
  /** Keywords that mean something in 2020-12 and nothing in this draft. */
  readonly unknown: ReadonlySet<string>;
  /** Whether this draft ignores what stands beside `$ref`. */
  readonly refAlone: boolean;
  /** Whether `items` may be a list, which is called `prefixItems` in 2020-12. */
  readonly listsItems: boolean;
}

const since2020 = ['prefixItems', '$dynamicRef', '$dynamicAnchor'];
const since2019 = [
  'dependentRequired',
  'dependentSchemas',
  'minContains',
  'maxContains',
  'unevaluatedItems',
  'unevaluatedProperties',
  ...since2020,
];
const since07 = ['if', 'then', 'else', ...since2019];

const CURRENT: Draft = { name: '2020-12', unknown: new Set(), refAlone: false, listsItems: false };
/** Tools that name no draft write lists of items as well, which can mean only one thing. */
const UNNAMED: Draft = { ...CURRENT, listsItems: true };

const DRAFTS: ReadonlyMap<string, Draft> = new Map([
  ['draft/2020-12', CURRENT],
  ['draft/2019-09', { name: '2019-09', unknown: new Set(since2020), refAlone: false, listsItems: true }],
  ['draft-07', { name: 'draft-07', unknown: new Set(since2019), refAlone: true, listsItems: true }],
  ['draft-06', { name: 'draft-06', unknown: new Set(since07), refAlone: true, listsItems: true }],
]);

const ADDRESS = /^https?:\/\/json-schema\.org\/(.+)\/schema#?$/;

/** The draft that a `$schema` names; 2020-12 without one; `undefined` for a draft that is not accepted. */
export function draftOf(name: unknown): Draft | undefined {
  if (name === undefined) return UNNAMED;
  return typeof name === 'string' ? DRAFTS.get(ADDRESS.exec(name)?.[1] ?? '') : undefined;
}

/** Describes why a keyword of a schema would mean something else than in the draft of the document. */
export function otherMeaning(keyword: string, schema: JsonObject, draft: Draft): string | undefined {
  if (keyword === 'items' && Array.isArray(schema['items'])) {
    const isClear = draft.listsItems && !('prefixItems' in schema);
    return isClear ? undefined : 'is a list, which is called prefixItems in 2020-12.';
  }
  if (draft.unknown.has(keyword)) {
    return `means nothing in ${draft.name}, which $schema names; name 2020-12 there, or leave this out.`;
  }
  if (draft.refAlone && '$ref' in schema && ASSERTIONS.has(keyword) && keyword !== '$ref') {
    return `means nothing beside $ref in ${draft.name}, which $schema names; name 2020-12 there, or leave this out.`;
  }
  const differs = draft.name === '2019-09' && keyword === 'unevaluatedItems' && 'contains' in schema;
  return differs ? 'means something else beside contains in 2019-09; name 2020-12 in $schema.' : undefined;
}
