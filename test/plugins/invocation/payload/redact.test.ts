import { expect } from 'chai';
import { faultOf, segmentsOf } from '../../../../plugins/invocation/payload/pointers.ts';
import { redactAt } from '../../../../plugins/invocation/payload/redact.ts';

const GONE = '[redacted]';

/** The JSON text after redaction at a pointer, and whether anything was there. */
function redacted(json: string, pointer: string): { readonly text: string; readonly found: boolean } {
  const value: unknown = JSON.parse(json);
  const found = redactAt(value, segmentsOf(pointer));
  return { text: JSON.stringify(value), found };
}

describe('A pointer of a payload policy', () => {
  for (const [what, json, pointer, text] of [
    ['a member', '{"a":1,"b":2}', '/a', `{"a":"${GONE}","b":2}`],
    ['a nested member', '{"a":{"b":{"c":1,"d":2}}}', '/a/b/c', `{"a":{"b":{"c":"${GONE}","d":2}}}`],
    ['a whole object', '{"a":{"b":1}}', '/a', `{"a":"${GONE}"}`],
    ['null', '{"a":null}', '/a', `{"a":"${GONE}"}`],
    ['an item by its index', '{"a":[1,2,3]}', '/a/1', `{"a":[1,"${GONE}",3]}`],
    ['every item', '{"a":[1,2]}', '/a/*', `{"a":["${GONE}","${GONE}"]}`],
    [
      'a member of every item',
      '{"a":[{"n":1},{"n":2,"m":3}]}',
      '/a/*/n',
      `{"a":[{"n":"${GONE}"},{"n":"${GONE}","m":3}]}`,
    ],
    [
      'a member of those items that have it',
      '{"a":[{"n":1},2,null,{"m":3}]}',
      '/a/*/n',
      `{"a":[{"n":"${GONE}"},2,null,{"m":3}]}`,
    ],
    ['every member', '{"a":{"x":1,"y":2}}', '/a/*', `{"a":{"x":"${GONE}","y":"${GONE}"}}`],
    ['items of items', '{"a":[[1],[2,3]]}', '/a/*/*', `{"a":[["${GONE}"],["${GONE}","${GONE}"]]}`],
    ['a member called "*"', '{"a":{"*":1}}', '/a/*', `{"a":{"*":"${GONE}"}}`],
    ['a name with a slash', '{"a/b":1,"a":{"b":2}}', '/a~1b', `{"a/b":"${GONE}","a":{"b":2}}`],
    ['a name with a tilde', '{"m~n":1}', '/m~0n', `{"m~n":"${GONE}"}`],
    ['a name that looks like an escape', '{"~1":1,"/":2}', '/~01', `{"~1":"${GONE}","/":2}`],
    ['the member without a name', '{"":1,"a":2}', '/', `{"":"${GONE}","a":2}`],
    ['a member called as an index', '{"0":1}', '/0', `{"0":"${GONE}"}`],
    [
      'a member called "__proto__"',
      '{"__proto__":{"a":1},"b":2}',
      '/__proto__/a',
      `{"__proto__":{"a":"${GONE}"},"b":2}`,
    ],
    ['"__proto__" itself', '{"__proto__":{"a":1}}', '/__proto__', `{"__proto__":"${GONE}"}`],
    [
      'a member called "constructor"',
      '{"constructor":{"prototype":1}}',
      '/constructor/prototype',
      `{"constructor":{"prototype":"${GONE}"}}`,
    ],
  ] as const) {
    it(`leads to ${what}`, () => {
      expect(redacted(json, pointer)).to.deep.equal({ text, found: true });
    });
  }

  for (const [what, json, pointer] of [
    ['a member that is absent', '{"a":1}', '/b'],
    ['something below a text', '{"a":"text"}', '/a/0'],
    ['something below null', '{"a":null}', '/a/b'],
    ['an index past the end', '{"a":[1]}', '/a/1'],
    ['an index with a leading zero', '{"a":[1,2]}', '/a/01'],
    ['the place after the last item', '{"a":[1]}', '/a/-'],
    ['the length of an array', '{"a":[1]}', '/a/length'],
    ['what every object inherits', '{"a":{}}', '/a/constructor/prototype'],
    ['the prototype', '{"a":{}}', '/__proto__/polluted'],
    ['the prototype itself', '{"a":1}', '/__proto__'],
    ['a method that every object has', '{"a":{}}', '/a/toString'],
    ['a method that every array has', '{"a":[]}', '/a/map'],
    ['items of an empty array', '{"a":[]}', '/a/*'],
  ] as const) {
    it(`leaves all as it is where it leads to ${what}`, () => {
      expect(redacted(json, pointer)).to.deep.equal({ text: json, found: false });
      expect(Object.prototype).not.to.have.property('polluted');
    });
  }

  for (const pointer of ['/a', '/', '/a/b~0c~1d', '/*/x', '/é "quoted" %20', '/a'.repeat(32)]) {
    it(`may be ${pointer.slice(0, 20)}`, () => expect(faultOf(pointer)).to.equal(undefined));
  }

  for (const [pointer, way] of [
    ['', 'Use the mode "drop"'],
    ['a/b', 'Write "/a/b"'],
    ['#/a/b', 'Write "/a/b"'],
    ['$.a', 'Write "/$.a"'],
    ['/a~b', 'write "~0"'],
    ['/a~', 'write "~0"'],
    ['/a~2', 'write "~0"'],
    ['/a'.repeat(33), 'at most 32'],
  ] as const) {
    it(`may not be "${pointer.slice(0, 20)}", and is told what to write`, () => {
      expect(faultOf(pointer)).to.include(`"${pointer}"`).and.include(way);
    });
  }
});
