import { performance } from 'node:perf_hooks';
import { expect } from 'chai';
import { readJson } from '../../../plugins/invocation/endpoint/json-answer.ts';

const MIB = 1 << 20;
const LONGEST_MS = 500;
/** What is slow by itself is slow every time; what is slow because of others on the machine is not. */
const TRIES = 3;

const read = (text: string) => readJson(Buffer.from(text));

describe('reading the JSON of an endpoint', () => {
  it('refuses numbers that are too large, and those alone', () => {
    const tooLarge = [`[${'9'.repeat(309)}]`, `{"a":-${'9'.repeat(400)}}`, '1e309', '[1E+999]'];
    expect(tooLarge.filter((text) => !('fault' in read(text)))).to.deep.equal([]);
    const fine = [`[${'9'.repeat(299)}]`, `[${'1'.repeat(308)}]`, '1e308', `0.${'1'.repeat(400)}`, '1e-999'];
    expect(fine.filter((text) => !('value' in read(text)))).to.deep.equal([]);
  });

  it('takes no more than a moment for 8 MiB of long numbers', () => {
    const number = '1'.repeat(299);
    const body = Buffer.from(`[${Array.from({ length: (8 * MIB) / 300 - 1 }, () => number).join()}]`);
    const times = Array.from({ length: TRIES }, () => {
      const began = performance.now();
      expect(readJson(body)).to.have.property('value');
      return performance.now() - began;
    });
    expect(Math.min(...times)).to.be.lessThan(LONGEST_MS);
  });
});
