import { defineTimeRollup } from '../invocation/contract.ts';

/** What is measured, each with how many units of a whole number make one: sums of a roll-up are whole. */
export const LOAD_FIGURES = {
  cpu_percent: 100,
  memory_percent: 100,
  disk_percent: 100,
  event_loop_delay: 1e6,
  process_memory_bytes: 1 / 1024,
  records_waiting: 1,
  spooled_batches: 1,
  database_bytes: 1 / 1024,
} as const;
export type LoadFigure = keyof typeof LOAD_FIGURES;

/** The roll-up of measurements. */
export const loadRollup = defineTimeRollup({
  table: 'monitoring_load',
  key: { figure: 'text' },
  sums: ['samples', 'total'],
  latest: { highest: 'integer' },
});
