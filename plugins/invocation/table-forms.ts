import type { Engine } from '../../core/index.ts';

/** Identifiers are compared byte by byte: faster than by language, and in the order of time. */
export const idType = (engine: Engine): string => (engine === 'postgres' ? 'text COLLATE "C"' : 'text');
