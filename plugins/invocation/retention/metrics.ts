import type { MetricDeclaration } from '../../../core/index.ts';

export const rowsDeleted: MetricDeclaration = {
  kind: 'counter',
  name: 'retention_rows_deleted_total',
  help: 'Records deleted, and records whose payload was deleted, because they are kept no longer.',
  labels: ['kind'],
};
