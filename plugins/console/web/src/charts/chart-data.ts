/** One of the quantities of a chart. */
export interface ChartSeries {
  readonly label: string;
  readonly values: readonly (number | null)[];
  /** The name of a colour in `tokens.css`: `--ok`. */
  readonly colour: string;
  /** Bars stand on each other in the order of the series; points mark single values. A line by default. */
  readonly shape?: 'line' | 'bars' | 'points';
}

/** What a chart shows. Keep the object between renders, since another one draws the chart anew. */
export interface ChartData {
  /** Ascending; seconds since 1970 where `time` is given. */
  readonly x: readonly number[];
  readonly xLabel: string;
  /** In which zone of time whole days begin; absent where `x` is no time. */
  readonly time?: 'utc' | 'local';
  readonly series: readonly ChartSeries[];
  /** How far a value reaches from its place in `x` on, where it stands for a time. */
  readonly step?: number;
  /** The indices of the series that are the upper and the lower edge of an area. */
  readonly band?: readonly [upper: number, lower: number];
  /** A value of `x` in full, as in the table. */
  readonly showX: (value: number) => string;
  /** A value of `x` at the axis, where the distance of two of them is given; `showX` by default. */
  readonly showTick?: (value: number, distance: number) => string;
  readonly showY: (value: number) => string;
  /** Whether the axis of values begins at 0. */
  readonly fromZero?: boolean;
}
