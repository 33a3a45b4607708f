import { expect } from 'chai';
import { timeOfId, isId, lowestIdAt, newId } from '../../../core/index.ts';

const NOON = Date.UTC(2026, 0, 31, 12);

describe('ids', () => {
  it('are UUIDs of version 7', () => {
    expect(isId(newId())).to.equal(true);
    expect(newId()).to.match(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  });

  it('grow, also thousands within one millisecond', () => {
    const made = Array.from({ length: 10_000 }, () => newId(NOON));
    expect([...made].sort()).to.deep.equal(made);
    expect(new Set(made).size).to.equal(made.length);
  });

  it('grow when the clock steps back a little', () => {
    const first = newId(NOON + 60_000);
    expect(newId(NOON + 30_000) > first).to.equal(true);
  });

  it('are whole when a clock answers fractions', () => {
    expect(isId(newId(NOON + 200_000.5))).to.equal(true);
  });

  it('carry their time, and a bound in time is a bound on ids', () => {
    const later = NOON + 3_600_000;
    const id = newId(later);
    expect(timeOfId(id)).to.equal(later);
    expect(lowestIdAt(later) <= id && id < lowestIdAt(later + 1)).to.equal(true);
  });

  for (const text of [
    '',
    'x',
    '00000000-0000-4000-8000-000000000000',
    '01a1fc4f-0da4-7000-8036-1cd3a2655c5',
    '01A1FC5F-7E01-7000-A58C-6C4974638FBF',
  ]) {
    it(`are not "${text}"`, () => {
      expect(isId(text)).to.equal(false);
    });
  }
});
