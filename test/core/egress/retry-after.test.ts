import { expect } from 'chai';
import { retryAfterOf } from '../../../core/egress/retry-after.ts';

const NOW = Date.parse('2026-01-31T09:30:00Z');

describe('Retry-After of an answer', () => {
  const cases: readonly (readonly [string, number | undefined])[] = [
    ['7', 7],
    [' 120 ', 120],
    ['0.2', 1],
    ['7.5', 8],
    ['2592000', 2_592_000],
    ['Sat, 31 Jan 2026 09:30:07 GMT', 7],
    ['Saturday, 31-Jan-26 09:30:07 GMT', 7],
    ['Sat Jan 31 09:30:07 2026', 7],
    ['0', undefined],
    ['-7', undefined],
    ['2592001', undefined],
    ['99999999999999999999', undefined],
    ['1e3', undefined],
    ['7, 9', undefined],
    ['soon', undefined],
    ['', undefined],
    ['Sat, 31 Jan 2026 09:29:59 GMT', undefined],
    ['Fri, 31 Dec 9999 23:59:59 GMT', undefined],
    ['Sat, 99 Jan 2026 09:30:07 GMT', undefined],
    ['2026-01-31T09:30:07Z', undefined],
  ];
  for (const [value, seconds] of cases) {
    it(`"${value}" is ${seconds === undefined ? 'no time' : `${seconds} s`}`, () => {
      expect(retryAfterOf({ 'retry-after': value }, () => NOW)).to.equal(seconds);
    });
  }

  it('is no time without the header', () => {
    expect(retryAfterOf({}, () => NOW)).to.equal(undefined);
  });

  it('counts from the date of the answer, whatever the clock of this machine says', () => {
    const headers = { 'retry-after': 'Fri, 02 Jan 2026 00:00:07 GMT', date: 'Fri, 02 Jan 2026 00:00:00 GMT' };
    expect(retryAfterOf(headers, () => NOW)).to.equal(7);
  });
});
