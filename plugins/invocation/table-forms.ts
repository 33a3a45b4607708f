import type { Engine } from '../../core/index.ts';

/** Identifiers are compared byte by byte: faster than by language, and in the order of time. */
export const idType = (engine: Engine): string => (engine === 'postgres' ? 'text COLLATE "C"' : 'text');

/** Rows that are updated again and again stay on their page when there is room on it. */
export const counters = (engine: Engine): string =>
  engine === 'postgres' ? 'WITH (fillfactor = 50)' : 'WITHOUT ROWID';
