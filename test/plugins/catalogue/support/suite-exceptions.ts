/** What the official suite wants and the catalogue does otherwise on purpose, with the reason. */
export interface SuiteExceptions {
  readonly reason: string;
  /** By file: groups whose schema is refused, or `group: test` where the verdict is another one. */
  readonly cases: Readonly<Record<string, readonly string[]>>;
}

export const suiteExceptions: readonly SuiteExceptions[] = [
  {
    reason: 'The API takes a schema as an object; `{}` and `{"not": {}}` say what `true` and `false` say.',
    cases: {
      boolean_schema: ["boolean schema 'true'", "boolean schema 'false'"],
    },
  },
  {
    reason:
      'References never leave the document, so that no schema makes the service fetch anything or changes with a page elsewhere.',
    cases: {
      defs: ['validate definition against metaschema'],
      dynamicRef: [
        'strict-tree schema, guards against misspelled properties',
        'tests for implementation dynamic anchor and reference link',
        '$ref and $dynamicAnchor are independent of order - $defs first',
        '$ref and $dynamicAnchor are independent of order - $ref first',
        '$ref to $dynamicRef finds detached $dynamicAnchor',
      ],
      ref: ['remote ref, containing refs itself'],
      refRemote: [
        'remote ref',
        'fragment within remote ref',
        'anchor within remote ref',
        'ref within remote ref',
        'base URI change',
        'base URI change - change folder',
        'base URI change - change folder in subschema',
        'root ref in remote ref',
        'remote ref with ref to defs',
        'Location-independent identifier in remote ref',
        'retrieved nested refs resolve relative to their URI not $id',
        'remote HTTP ref with different $id',
        'remote HTTP ref with different URN $id',
        'remote HTTP ref with nested absolute ref',
        '$ref to $ref finds detached $anchor',
      ],
    },
  },
  {
    reason: 'Vocabularies of others are not read, because `$schema` would have to be fetched.',
    cases: {
      vocabulary: [
        'schema that uses custom metaschema with with no validation vocabulary',
        'ignore unrecognized optional vocabulary',
      ],
    },
  },
  {
    reason: '`$dynamicRef` beside identities inside is refused, because ajv follows it wrongly.',
    cases: {
      dynamicRef: [
        'A $dynamicRef resolves to the first $dynamicAnchor still in scope that is encountered when the schema is evaluated',
        'A $dynamicRef without anchor in fragment behaves identical to $ref',
        "A $dynamicRef with intermediate scopes that don't include a matching $dynamicAnchor does not affect dynamic scope resolution",
        'An $anchor with the same name as a $dynamicAnchor is not used for dynamic scope resolution',
        'A $dynamicRef without a matching $dynamicAnchor in the same schema resource behaves like a normal $ref to $anchor',
        'A $dynamicRef with a non-matching $dynamicAnchor in the same schema resource behaves like a normal $ref to $anchor',
        'A $dynamicRef that initially resolves to a schema with a matching $dynamicAnchor resolves to the first $dynamicAnchor in the dynamic scope',
        'A $dynamicRef that initially resolves to a schema without a matching $dynamicAnchor behaves like a normal $ref to $anchor',
        'multiple dynamic paths to the $dynamicRef keyword',
        'after leaving a dynamic scope, it is not used by a $dynamicRef',
        '$dynamicRef skips over intermediate resources - direct reference',
        '$dynamicRef avoids the root of each schema, but scopes are still registered',
      ],
      unevaluatedItems: ['unevaluatedItems with $dynamicRef'],
      unevaluatedProperties: ['unevaluatedProperties with $dynamicRef'],
    },
  },
  {
    reason:
      '`unevaluatedItems` beside `contains` is refused, because ajv does not know which items `contains` evaluated.',
    cases: {
      unevaluatedItems: [
        'unevaluatedItems depends on adjacent contains',
        'unevaluatedItems depends on multiple nested contains',
        'unevaluatedItems and contains interact to control item dependency relationship',
        'unevaluatedItems with minContains = 0',
      ],
    },
  },
  {
    reason: 'Formats are checked, because people who write `format: email` expect it.',
    cases: {
      format: [
        'email format: invalid email string is only an annotation by default',
        'ipv4 format: invalid ipv4 string is only an annotation by default',
        'ipv6 format: invalid ipv6 string is only an annotation by default',
        'hostname format: invalid hostname string is only an annotation by default',
        'date format: invalid date string is only an annotation by default',
        'date-time format: invalid date-time string is only an annotation by default',
        'time format: invalid time string is only an annotation by default',
        'uri format: invalid uri string is only an annotation by default',
        'uuid format: invalid uuid string is only an annotation by default',
      ],
    },
  },
  {
    reason: 'No body may have the key `__proto__`, so no schema can name it.',
    cases: {
      properties: ['properties whose names are Javascript object property names: __proto__ not valid'],
    },
  },
];
