import { expect } from 'chai';
import { isoDay, isoTime } from '../../../core/support/clock.ts';

describe('times as text', () => {
  it('are what a date says, in whatever order they are written', () => {
    const times = [0, 7, 999, 1000, 1764051845012, 1764051845999, 1764051846000, 1764051845010, -1, -1000];
    const further = [-1001, 1764051845012.75, -0.5, -8.64e15, 8.64e15];
    for (const time of [...times, ...further]) {
      expect(isoTime(time), String(time)).to.equal(new Date(time).toISOString());
    }
  });

  it('are refused beyond what a date holds', () => {
    for (const time of [NaN, Infinity, 8.7e15])
      expect(() => isoTime(time), String(time)).to.throw(RangeError);
    expect(isoTime(1764051845012)).to.equal('2025-11-25T06:24:05.012Z');
  });

  it('begin with their day', () => {
    expect(isoDay(1764051845012)).to.equal('2025-11-25');
  });
});
