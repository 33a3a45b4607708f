import { expect } from 'chai';
import type { ParameterSpec } from '../../../plugins/catalogue/contract.ts';
import { completing } from '../../../plugins/catalogue/parameters/complete.ts';
import { processorMs } from '../../support/processor-time.ts';

const SPECS: Record<string, ParameterSpec> = {
  threshold: { type: 'number', default: 0.5, min: 0, max: 1 },
  k: { type: 'integer', min: 1 },
  mode: { type: 'string', enum: ['fast', 'exact'], default: 'fast' },
  labels: { type: 'array', default: ['a'], max: 3 },
  note: { type: 'string', min: 2, max: 4 },
  anything: {},
  nothing: { default: null },
};

const complete = completing(SPECS);
const findingsOf = (params: Record<string, unknown>) => complete(params).findings;

describe('The parameters of a call', () => {
  it('are filled up with the defaults', () => {
    expect(complete({})).to.deep.equal({
      params: { threshold: 0.5, mode: 'fast', labels: ['a'] },
      findings: [],
    });
  });

  it('keep what was given', () => {
    const given = { threshold: 1, k: 7, mode: 'exact', labels: [], note: 'äöüß', anything: { x: null } };
    expect(complete(given)).to.deep.equal({ params: given, findings: [] });
  });

  it('are not given where they are null and cannot be', () => {
    const given = { threshold: null, k: null, mode: null, anything: null };
    expect(complete(given)).to.deep.equal({
      params: { threshold: 0.5, mode: 'fast', labels: ['a'], anything: null },
      findings: [],
    });
  });

  it('may be null where their type or values say so', () => {
    const given = { a: null, b: null };
    const some = completing({ a: { type: 'null' }, b: { enum: [1, null], default: 1 } });
    expect(some(given)).to.deep.equal({ params: given, findings: [] });
  });

  it('have defaults of their own in each call', () => {
    const first = complete({}).params['labels'] as string[];
    first.push('b');
    expect(complete({}).params['labels']).to.deep.equal(['a']);
  });

  for (const [params, pointer, message] of [
    [{ threshold: '1' }, '/threshold', 'must be of the type number.'],
    [{ threshold: -0.1 }, '/threshold', 'must be at least 0.'],
    [{ threshold: 1.1 }, '/threshold', 'must be at most 1.'],
    [{ k: 1.5 }, '/k', 'must be of the type integer.'],
    [{ k: 0 }, '/k', 'must be at least 1.'],
    [{ mode: 'slow' }, '/mode', 'must be one of "fast","exact".'],
    [{ labels: {} }, '/labels', 'must be of the type array.'],
    [{ labels: [1, 2, 3, 4] }, '/labels', 'must be at most 3 items long.'],
    [{ note: 'a' }, '/note', 'must be at least 2 characters long.'],
    [{ note: '😀😀😀😀😀' }, '/note', 'must be at most 4 characters long.'],
    [{ treshold: 1 }, '/treshold', /^is not a parameter of this version; it has threshold, k, /],
    [{ 'a/b': 1 }, '/a~1b', /^is not a parameter/],
    [{ constructor: 1 }, '/constructor', /^is not a parameter/],
  ] as const) {
    it(`must not be ${JSON.stringify(params)}`, () => {
      const [finding, ...more] = findingsOf(params);
      expect([finding?.pointer, more]).to.deep.equal([pointer, []]);
      if (typeof message === 'string') expect(finding?.message).to.equal(message);
      else expect(finding?.message).to.match(message);
    });
  }

  it('are named each when several are wrong', () => {
    const pointers = findingsOf({ threshold: 2, k: 'x', surprise: 1 }).map(({ pointer }) => pointer);
    expect(pointers).to.have.members(['/threshold', '/k', '/surprise']);
  });

  it('know the types by their usual other names', () => {
    const other = completing({
      a: { type: 'float' },
      b: { type: 'int' },
      c: { type: 'bool' },
      d: { type: 'str' },
    });
    expect(other({ a: 0.5, b: 1, c: true, d: 'x' }).findings).to.deep.equal([]);
    expect(other({ a: 'x', b: 0.5, c: 1, d: 2 }).findings).to.have.length(4);
  });

  it('are handed on as they are when the version describes none', () => {
    const given = { whatever: [1] };
    expect(completing(null)(given)).to.deep.equal({ params: given, findings: [] });
  });

  describe('that are one of several lists or objects', () => {
    const chosen = completing({ a: { enum: [[1, 2], { x: 1, y: [null] }, 'x', 0] } });

    for (const a of [[1, 2], { y: [null], x: 1 }, 'x', 0]) {
      it(`may be ${JSON.stringify(a)}`, () => {
        expect(chosen({ a }).findings).to.deep.equal([]);
      });
    }

    for (const a of [[2, 1], { x: 1 }, { x: 1, y: [null], z: 1 }, '[1,2]', '0']) {
      it(`must not be ${JSON.stringify(a)}`, () => {
        expect(chosen({ a }).findings).to.have.length(1);
      });
    }

    it('are not compared one by one with a large value', () => {
      const few = completing({ a: { enum: Array.from({ length: 1_900 }, () => ({})) } });
      const a = Object.fromEntries(Array.from({ length: 9_990 }, (_, index) => [`k${index}`, 1]));
      expect(processorMs(() => expect(few({ a }).findings).to.have.length(1))).to.be.lessThan(300);
    });
  });
});
