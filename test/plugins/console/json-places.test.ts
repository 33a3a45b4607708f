import { expect } from 'chai';
import { loadConsoleModules } from '../../support/console-modules.ts';

const JSON_TEXT = `{
  "type": "object",
  "properties": { "a/b": { "type": "whole" }, "n": { "enum": [1, 2] } }
}`;

describe('the place of a finding in a text', () => {
  let rangeOf: (json: string, pointer: string) => { readonly from: number; readonly to: number };
  before(async () => ({ rangeOf } = await loadConsoleModules('playground/json-places.ts')));

  const textAt = (pointer: string, json = JSON_TEXT): string => {
    const { from, to } = rangeOf(json, pointer);
    return json.slice(from, to);
  };

  for (const [pointer, text] of [
    ['/type', '"object"'],
    ['/properties/a~1b/type', '"whole"'],
    ['/properties/n/enum/1', '2'],
    ['/properties/n', '"n"'],
    ['', '{'],
  ] as const) {
    it(`is ${text} for "${pointer}"`, () => expect(textAt(pointer)).to.equal(text));
  }

  it('is what is there on the way to it', () => {
    expect(textAt('/properties/n/items/type')).to.equal('"n"');
    expect(textAt('/required')).to.equal('{');
  });

  it('is known in a text that is no JSON yet', () => {
    expect(textAt('/type', '{ "type": "whole", "properties": {')).to.equal('"whole"');
    expect(textAt('/type', '')).to.equal('');
  });
});
