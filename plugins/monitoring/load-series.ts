import { isoTime, token, type Database } from '../../core/index.ts';
import type { TimeRollups } from '../invocation/contract.ts';
import { LOAD_FIGURES, type LoadFigure } from './load-figures.ts';
import { noCalls } from './problems.ts';
import type { LoadAnswer, LoadQuery } from './schemas.ts';

/** Shows the load of the service and its machine over time. */
export interface LoadSeries {
  /** Throws `PerformanceUnavailable` and `ValidationFailed`. */
  of(query: LoadQuery): Promise<LoadAnswer>;
}

export const LOAD_SERIES = token<LoadSeries>('monitoring:load-series');

interface SumRow {
  readonly begins_at: number;
  readonly figure: string;
  readonly samples: number;
  readonly total: number;
  readonly highest: number;
}

export function createLoadSeries({
  database,
  rollups,
}: {
  readonly database: Pick<Database, 'read'>;
  readonly rollups: TimeRollups | undefined;
}): LoadSeries {
  return {
    of: async (query) => {
      if (!rollups) throw noCalls();
      const { start, end, begins } = rollups.rangeOf(query);
      const sums = database.read<SumRow>(
        `SELECT begins_at, figure, SUM(samples) AS samples, SUM(total) AS total, MAX(highest) AS highest
         FROM monitoring_load WHERE figure = ? AND bucket = ? AND begins_at >= ? AND begins_at < ?
         GROUP BY begins_at, figure`,
      );
      const figures = Object.keys(LOAD_FIGURES) as LoadFigure[];
      const found = await Promise.all(
        figures.map(async (figure) => {
          const rows = await sums.all(figure, query.bucket, start, end);
          return [figure, new Map(rows.map((row) => [row.begins_at, row]))] as const;
        }),
      );
      const pointAt = (begin: number) =>
        Object.fromEntries(found.map(([figure, rows]) => [figure, measured(figure, rows.get(begin))]));
      return {
        bucket: query.bucket,
        start: isoTime(start),
        end: isoTime(end),
        points: begins.map((begin) => ({ at: isoTime(begin), ...pointAt(begin) })) as LoadAnswer['points'],
      };
    },
  };
}

function measured(figure: LoadFigure, row: SumRow | undefined) {
  if (!row) return null;
  const value = (units: number): number => Math.round((units / LOAD_FIGURES[figure]) * 1e6) / 1e6;
  return { mean: value(row.total / row.samples), highest: value(row.highest) };
}
