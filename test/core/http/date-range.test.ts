import { expect } from 'chai';
import { dateRange, Problem } from '../../../core/index.ts';

const at = (time: string) => Date.parse(time);

describe('A bound in time', () => {
  for (const [text, first, afterLast] of [
    ['2026-01-31', '2026-01-31T00:00:00.000Z', '2026-02-01T00:00:00.000Z'],
    ['2024-02-29', '2024-02-29T00:00:00.000Z', '2024-03-01T00:00:00.000Z'],
    ['9999-12-31', '9999-12-31T00:00:00.000Z', '+010000-01-01T00:00:00.000Z'],
    ['2026-01-31T09:30:00Z', '2026-01-31T09:30:00.000Z', '2026-01-31T09:30:00.001Z'],
    ['2026-01-31T09:30:00.25Z', '2026-01-31T09:30:00.250Z', '2026-01-31T09:30:00.251Z'],
    ['2026-01-31T09:30:00.123456Z', '2026-01-31T09:30:00.123Z', '2026-01-31T09:30:00.124Z'],
    ['2026-01-31T09:30:00+02:00', '2026-01-31T07:30:00.000Z', '2026-01-31T07:30:00.001Z'],
    ['2026-01-31T23:30:00-05:30', '2026-02-01T05:00:00.000Z', '2026-02-01T05:00:00.001Z'],
    ['2026-01-31T09:30:00', '2026-01-31T09:30:00.000Z', '2026-01-31T09:30:00.001Z'],
    ['2026-01-31t09:30z', '2026-01-31T09:30:00.000Z', '2026-01-31T09:30:00.001Z'],
  ] as const) {
    it(`${text} begins and ends when it says`, () => {
      expect(dateRange({ start_date: text, end_date: text })).to.deep.equal({
        from: at(first),
        until: at(afterLast),
      });
    });
  }

  it('stays within the years of four digits wherever it is written', () => {
    const end = at('+010000-01-01T00:00:00.000Z');
    const text = '9999-12-31T23:59:59.999-08:00';
    expect(dateRange({ start_date: text, end_date: text })).to.deep.equal({ from: end - 1, until: end });
    const begin = at('0000-01-01T00:00:00.000Z');
    const first = '0000-01-01T00:00:00+08:00';
    expect(dateRange({ start_date: first, end_date: first })).to.deep.equal({ from: begin, until: begin });
  });

  it('may be missing', () => {
    expect(dateRange({})).to.deep.equal({ from: undefined, until: undefined });
    expect(dateRange({ start_date: '2026-01-01' }).until).to.equal(undefined);
    expect(dateRange({ end_date: '2026-01-01' }).from).to.equal(undefined);
  });

  for (const text of [
    '',
    'yesterday',
    '2026-02-29',
    '2026-02-30',
    '2026-13-01',
    '2026-00-10',
    '2026-01-00',
    '2026-1-1',
    '20260131',
    '31.01.2026',
    '2026-01-31T24:00:00Z',
    '2026-01-31T09:60:00Z',
    '2026-01-31T09:30:61Z',
    '2026-01-31T09:30:00+25:00',
    '2026-01-31T09:30:00 02:00',
    '2026-01-31T09:30:00Zjunk',
    '1769850000',
    '+010000-01-01',
  ]) {
    it(`is refused: "${text}"`, () => {
      for (const name of ['start_date', 'end_date']) {
        const refused = (() => {
          try {
            return dateRange({ [name]: text });
          } catch (error) {
            return error;
          }
        })();
        expect(refused).to.be.instanceOf(Problem);
        expect((refused as Problem).status).to.equal(422);
        expect((refused as Problem).extras.errors![0]!.pointer).to.equal(`/query/${name}`);
      }
    });
  }
});
