import { expect } from 'chai';
import { segmentsOf } from '../../../plugins/invocation/payload/pointers.ts';
import { REDACTED, redactAt } from '../../../plugins/invocation/payload/redact.ts';
import { loadConsoleModules } from '../../support/console-modules.ts';

interface Rule {
  readonly mode: string;
  readonly pointers: readonly string[];
}

const VALUE = {
  patient: { name: 'Ada', age: 36, 'a/b': { '~': 1 } },
  visits: [{ note: 'x', at: 1 }, { note: 'y' }, null, 'z'],
  '': { '0': 'empty' },
  toString: 1,
};

describe('what the console says that records would keep', () => {
  let keptOf: (value: unknown, rule: Rule) => unknown;
  let placesIn: (value: unknown) => readonly string[];
  before(async () => {
    ({ keptOf, placesIn } = await loadConsoleModules('administration/algorithms/payloads/kept.ts'));
  });

  const redact = (pointer: string) => keptOf(VALUE, { mode: 'redact', pointers: [pointer] });

  for (const pointer of [
    '/patient/name',
    '/patient/a~1b/~0',
    '/visits/*/note',
    '/visits/1',
    '/visits/01',
    '/visits/-1',
    '/visits/length',
    '/*/name',
    '/*',
    '//0',
    '/none/of/this',
    '/__proto__/x',
    '/toString',
    '/constructor',
  ]) {
    it(`is what the service keeps, with ${pointer} hidden`, () => {
      const kept: unknown = structuredClone(VALUE);
      redactAt(kept, segmentsOf(pointer));
      expect(redact(pointer)).to.deep.equal(kept);
    });
  }

  it('leaves the example as it is', () => {
    expect(JSON.stringify(redact('/visits/*/note'))).to.contain(REDACTED);
    expect(VALUE.visits[0]).to.deep.equal({ note: 'x', at: 1 });
  });

  it('is all of it, or nothing, in the other modes', () => {
    expect(keptOf(VALUE, { mode: 'store', pointers: [] })).to.equal(VALUE);
    expect(keptOf(VALUE, { mode: 'hash', pointers: [] })).to.equal(null);
    expect(keptOf(VALUE, { mode: 'drop', pointers: [] })).to.equal(null);
  });

  it('offers places that hide something, those of a list once', () => {
    const places = placesIn(VALUE);
    expect(places).to.include.members(['/patient', '/patient/a~1b', '/patient/a~1b/~0', '/visits/*/note']);
    expect(places.filter((place) => place === '/visits/*')).to.have.length(1);
    for (const place of places) expect(redact(place), place).not.to.deep.equal(VALUE);
    expect(placesIn(null)).to.deep.equal([]);
  });
});
