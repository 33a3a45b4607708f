import { expect } from 'chai';
import { AIR_PASSENGERS } from '../../../plugins/samples/series/air-passengers.ts';
import { loess } from '../../../plugins/samples/series/loess.ts';
import { oddAtLeast, stl } from '../../../plugins/samples/series/stl.ts';

describe('Robust STL', () => {
  const parts = stl(AIR_PASSENGERS, { period: 12, seasonWindow: 999, trendWindow: 49 });

  it('agrees with statsmodels: seasonal=999, seasonal_deg=0, trend=49, robust', () => {
    const places = [0, 1, 50, 100, 142, 143];
    const known = {
      trend: [
        114.23303239729904, 115.92448400213839, 214.02531507104527, 343.5228452024799, 466.03952764619464,
        469.4995394008152,
      ],
      season: [
        -17.574346990803424, -27.182908398435, 6.43513494838887, 2.3756368831319468, -50.941145794520395,
        -23.930309188143408,
      ],
      remainder: [
        15.341314593504393, 29.258424396296604, 15.539549980565852, 9.101517914388126, -25.098381851674276,
        -13.569230212671812,
      ],
    };
    for (const part of ['trend', 'season', 'remainder'] as const) {
      places.forEach((place, i) => expect(parts[part][place]).to.be.closeTo(known[part][i]!, 1e-9));
    }
  });

  it('adds up to the series', () => {
    AIR_PASSENGERS.forEach((value, i) =>
      expect(parts.trend[i]! + parts.season[i]! + parts.remainder[i]!).to.be.closeTo(value, 1e-9),
    );
  });
});

describe('Loess', () => {
  it('keeps a straight line', () => {
    const line = Float64Array.from({ length: 20 }, (_, i) => 4 - 3 * i);
    loess(line, { window: 7 }).forEach((value, i) => expect(value).to.be.closeTo(line[i]!, 1e-10));
  });

  it('does not look at what is not trusted', () => {
    const line = Float64Array.from({ length: 21 }, (_, i) => (i === 10 ? 1000 : i));
    const trust = Float64Array.from(line, (_, i) => (i === 10 ? 0 : 1));
    expect(loess(line, { window: 7, trust })[10]).to.be.closeTo(10, 1e-10);
  });

  it('keeps a value that nothing trusted is near to', () => {
    const values = Float64Array.from([1, 5, 2]);
    expect([...loess(values, { window: 3, trust: new Float64Array(3) })]).to.deep.equal([1, 5, 2]);
  });
});

describe('Windows', () => {
  it('are odd', () => {
    expect([6.2, 7, 8].map(oddAtLeast)).to.deep.equal([7, 7, 9]);
  });
});
