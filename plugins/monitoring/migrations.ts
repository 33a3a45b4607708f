import type { Migration } from '../../core/index.ts';
import { loadRollup } from './load-figures.ts';

export const migrations: readonly Migration[] = [{ name: '0001_tables', up: loadRollup.createTable }];
