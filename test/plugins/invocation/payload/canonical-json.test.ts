import { expect } from 'chai';
import { canonicalJson } from '../../../../plugins/invocation/payload/reduce.ts';

const canonical = (json: string): string => canonicalJson(JSON.parse(json));

describe('Canonical JSON', () => {
  for (const [what, json, text] of [
    ['has no spaces', ' { "a" : [ 1 , true , null ] } ', '{"a":[1,true,null]}'],
    [
      'has names in order, at every depth',
      '{"b":{"d":1,"c":2},"a":[{"z":1,"y":2}]}',
      '{"a":[{"y":2,"z":1}],"b":{"c":2,"d":1}}',
    ],
    ['orders names as texts, numbers too', '{"10":1,"9":2,"1":3}', '{"1":3,"10":1,"9":2}'],
    [
      'orders names by their code units',
      '{"\\ufb33":1,"\\ud83d\\ude00":2,"é":3,"\\r":4}',
      '{"\\r":4,"é":3,"😀":2,"\ufb33":1}',
    ],
    ['keeps the order of items', '[3,1,2]', '[3,1,2]'],
    ['writes numbers in one way', '[1.0,1e2,-0,1E+21,0.000001,1e-7]', '[1,100,0,1e+21,0.000001,1e-7]'],
    ['writes texts in one way', '"\\u0041\\/\\u00e9\\n"', '"A/é\\n"'],
    ['has a member called "__proto__"', '{"b":1,"__proto__":{"a":1}}', '{"__proto__":{"a":1},"b":1}'],
    ['has what is empty', '{"b":{},"a":[],"":""}', '{"":"","a":[],"b":{}}'],
  ] as const) {
    it(what, () => expect(canonical(json)).to.equal(text));
  }
});
