import { _, Name, type CodeKeywordDefinition, type KeywordCxt } from 'ajv/dist/2020.js';

function code(cxt: KeywordCxt): void {
  const { gen, data, it } = cxt;
  const { items } = it;
  if (items === true) return;
  const count = gen.const('count', _`${data}.length`);
  const first = items instanceof Name ? _`${items} === true ? ${count} : ${items} || 0` : _`${items ?? 0}`;
  const from = gen.const('from', first);
  const valid = gen.var('valid', true);
  gen.forRange('i', from, count, (i) => {
    cxt.subschema({ keyword: 'unevaluatedItems', dataProp: i, dataPropType: 0 }, valid);
    if (!it.allErrors) gen.if(_`!${valid}`, () => gen.break());
  });
  cxt.ok(valid);
  it.items = true;
}

/** Replaces ajv's keyword, which takes `true` (all items were evaluated) for a number of items. */
export const unevaluatedItems = {
  keyword: 'unevaluatedItems',
  type: 'array',
  schemaType: ['boolean', 'object'],
  code,
} as const satisfies CodeKeywordDefinition;
