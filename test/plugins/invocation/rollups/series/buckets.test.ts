import { expect } from 'chai';
import { Problem } from '../../../../../core/index.ts';
import type { SeriesQuery } from '../../../../../plugins/invocation/contract.ts';
import { partsOf, seriesRange } from '../../../../../plugins/invocation/rollups/series/buckets.ts';

const NOW = Date.parse('2026-11-21T12:34:56.789Z');

function rangeOf(query: SeriesQuery) {
  const { start, end, begins } = seriesRange(query, NOW);
  return [new Date(start).toISOString(), new Date(end).toISOString(), begins.length];
}

function refusalOf(query: SeriesQuery): { readonly pointer: string; readonly message: string } {
  try {
    seriesRange(query, NOW);
  } catch (error) {
    if (error instanceof Problem) return error.extras.errors![0]!;
    throw error;
  }
  throw new Error('It was not refused.');
}

describe('The points of a series', () => {
  it('are the last 30 days, today included', () => {
    expect(rangeOf({ bucket: 'day' })).to.deep.equal([
      '2026-10-23T00:00:00.000Z',
      '2026-11-22T00:00:00.000Z',
      30,
    ]);
  });

  it('are the last 48 hours, the present one included', () => {
    expect(rangeOf({ bucket: 'hour' })).to.deep.equal([
      '2026-11-19T13:00:00.000Z',
      '2026-11-21T13:00:00.000Z',
      48,
    ]);
  });

  it('are whole days from the first to the last of the query', () => {
    expect(rangeOf({ bucket: 'day', start_date: '2026-01-30', end_date: '2026-02-01' })).to.deep.equal([
      '2026-01-30T00:00:00.000Z',
      '2026-02-02T00:00:00.000Z',
      3,
    ]);
  });

  it('are whole hours from the first to the last of the query', () => {
    const bounds = { start_date: '2026-11-20T22:59:59.999Z', end_date: '2026-11-21T01:00:00Z' };
    expect(rangeOf({ bucket: 'hour', ...bounds })).to.deep.equal([
      '2026-11-20T22:00:00.000Z',
      '2026-11-21T02:00:00.000Z',
      4,
    ]);
  });

  it('are in UTC where a bound has an offset', () => {
    const bounds = { start_date: '2026-11-21T00:30:00+02:00', end_date: '2026-11-21T00:30:00+02:00' };
    expect(rangeOf({ bucket: 'day', ...bounds })).to.deep.equal([
      '2026-11-20T00:00:00.000Z',
      '2026-11-21T00:00:00.000Z',
      1,
    ]);
  });

  it('end with the end of the query when it names no start', () => {
    expect(rangeOf({ bucket: 'day', end_date: '2026-01-30' })).to.deep.equal([
      '2026-01-01T00:00:00.000Z',
      '2026-01-31T00:00:00.000Z',
      30,
    ]);
  });

  it('are none where the end is before the start', () => {
    const range = rangeOf({ bucket: 'day', start_date: '2026-02-01', end_date: '2026-01-01' });
    expect(range).to.deep.equal(['2026-02-01T00:00:00.000Z', '2026-02-01T00:00:00.000Z', 0]);
  });

  it('are none from a start in the future', () => {
    expect(rangeOf({ bucket: 'day', start_date: '2027-01-01' })[2]).to.equal(0);
  });

  it('are 1,000 at most, and the refusal says so', () => {
    expect(rangeOf({ bucket: 'day', start_date: '2024-02-26' })[2]).to.equal(1000);
    const { pointer, message } = refusalOf({ bucket: 'day', start_date: '2024-02-25' });
    expect(pointer).to.equal('/query/start_date');
    expect(message).to.include('1001 points').and.include('at most 1000');
    expect(message).not.to.include('bucket=day');
  });

  it('are told to be days where hours are too many', () => {
    const { message } = refusalOf({ bucket: 'hour', start_date: '2026-10-01' });
    expect(message).to.include('at most 1000').and.include('bucket=day');
  });

  it('are hours of the last 60 days only, and the refusal says so', () => {
    const end = { end_date: '2026-09-22T23:00:00Z' };
    expect(rangeOf({ bucket: 'hour', start_date: '2026-09-22T12:00:00Z', ...end })[2]).to.equal(12);
    const { pointer, message } = refusalOf({ bucket: 'hour', start_date: '2026-09-22T11:59:59Z', ...end });
    expect(pointer).to.equal('/query/start_date');
    expect(message).to.include('60 days').and.include('2026-09-22T12:00:00.000Z').and.include('bucket=day');
    expect(refusalOf({ bucket: 'hour', ...end, end_date: '2026-01-01' }).pointer).to.equal('/query/end_date');
  });

  it('are the last 60 minutes, the present one included', () => {
    expect(rangeOf({ bucket: 'minute' })).to.deep.equal([
      '2026-11-21T11:35:00.000Z',
      '2026-11-21T12:35:00.000Z',
      60,
    ]);
  });

  it('are minutes of the last 48 hours only, and the refusal says so', () => {
    const end = { end_date: '2026-11-19T12:59:00Z' };
    expect(rangeOf({ bucket: 'minute', start_date: '2026-11-19T12:34:00Z', ...end })[2]).to.equal(26);
    const { message } = refusalOf({ bucket: 'minute', start_date: '2026-11-19T12:33:59Z', ...end });
    expect(message).to.include('48 hours').and.include('2026-11-19T12:34:00.000Z').and.include('bucket=hour');
  });

  it('are told to be hours where minutes are too many', () => {
    const { message } = refusalOf({ bucket: 'minute', start_date: '2026-11-20T12:00:00Z' });
    expect(message).to.include('at most 1000').and.include('bucket=hour');
  });

  it('are days of any time', () => {
    expect(rangeOf({ bucket: 'day', start_date: '1969-12-31', end_date: '1970-01-01' })[2]).to.equal(2);
  });
});

describe('A range in the longest points that fill it', () => {
  const parts = (bucket: 'minute' | 'hour' | 'day', start: string, end: string) =>
    partsOf(bucket, Date.parse(start), Date.parse(end)).map((part) =>
      [part.bucket, new Date(part.start).toISOString(), new Date(part.end).toISOString()].join(' '),
    );

  it('is days, with hours and minutes at its edges', () => {
    expect(parts('minute', '2026-11-20T22:58:00Z', '2026-11-22T01:02:00Z')).to.deep.equal([
      'minute 2026-11-20T22:58:00.000Z 2026-11-20T23:00:00.000Z',
      'hour 2026-11-20T23:00:00.000Z 2026-11-21T00:00:00.000Z',
      'day 2026-11-21T00:00:00.000Z 2026-11-22T00:00:00.000Z',
      'hour 2026-11-22T00:00:00.000Z 2026-11-22T01:00:00.000Z',
      'minute 2026-11-22T01:00:00.000Z 2026-11-22T01:02:00.000Z',
    ]);
  });

  it('is minutes alone within an hour', () => {
    expect(parts('minute', '2026-11-20T22:58:00Z', '2026-11-20T23:02:00Z')).to.deep.equal([
      'minute 2026-11-20T22:58:00.000Z 2026-11-20T23:02:00.000Z',
    ]);
  });

  it('is nothing where it ends before it begins', () => {
    expect(parts('hour', '2026-11-20T22:00:00Z', '2026-11-20T22:00:00Z')).to.deep.equal([]);
    expect(parts('day', '2026-11-22T00:00:00Z', '2026-11-20T00:00:00Z')).to.deep.equal([]);
  });
});
