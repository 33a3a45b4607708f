import type { Engine } from '../../core/index.ts';

/** The column type of identifiers. They are compared by bytes, which is faster and follows the order of time. */
export const idType = (engine: Engine): string => (engine === 'postgres' ? 'text COLLATE "C"' : 'text');
