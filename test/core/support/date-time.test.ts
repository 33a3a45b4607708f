import { expect } from 'chai';
import { dayIn, timeIn } from '../../../core/support/date-time.ts';

const iso = (time: number | undefined) => (time === undefined ? undefined : new Date(time).toISOString());

describe('the time in a text', () => {
  for (const [text, time] of [
    ['2026-01-31T09:30:00Z', '2026-01-31T09:30:00.000Z'],
    ['2026-01-31T09:30:00.123456789012Z', '2026-01-31T09:30:00.123Z'],
    ['2026-01-31T09:30:00,5Z', '2026-01-31T09:30:00.500Z'],
    ['2026-01-31T09:30:00+02:00', '2026-01-31T07:30:00.000Z'],
    ['2026-01-31T09:30:00-0230', '2026-01-31T12:00:00.000Z'],
    ['2026-01-31T09:30:00+02', '2026-01-31T07:30:00.000Z'],
    ['2026-01-31t09:30z', '2026-01-31T09:30:00.000Z'],
    ['2026-01-31 09:30:00', '2026-01-31T09:30:00.000Z'],
  ] as const) {
    it(`${text} is ${time}`, () => expect(iso(timeIn(text))).to.equal(time));
  }

  it('is in UTC, wherever this machine stands, when the text names no zone', () => {
    const zone = process.env['TZ'];
    process.env['TZ'] = 'Asia/Tokyo';
    try {
      expect(iso(timeIn('2026-01-31T09:30:00.25'))).to.equal('2026-01-31T09:30:00.250Z');
    } finally {
      if (zone === undefined) delete process.env['TZ'];
      else process.env['TZ'] = zone;
    }
  });

  for (const text of [
    '',
    'tomorrow',
    '2026-01-31',
    '2026-02-30T09:30:00Z',
    '2026-01-31T24:00:00Z',
    '2026-01-31T09:30:60Z',
    '2026-01-31T09:30:00+25:00',
    '2026-01-31T09:30:00Zjunk',
    '20260131T093000Z',
    '1769850000',
  ]) {
    it(`is none in "${text}"`, () => expect(timeIn(text)).to.equal(undefined));
  }
});

describe('the day in a text', () => {
  it('begins at midnight UTC', () => expect(iso(dayIn('2024-02-29'))).to.equal('2024-02-29T00:00:00.000Z'));

  for (const text of ['2026-02-29', '2026-00-10', '2026-1-1', '20260131', '2026-01-31T09:30:00Z']) {
    it(`is none in "${text}"`, () => expect(dayIn(text)).to.equal(undefined));
  }
});
