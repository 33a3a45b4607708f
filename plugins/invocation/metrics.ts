import type { MetricDeclaration } from '../../core/index.ts';
import { recordMetrics } from './recording/metrics.ts';
import { rowsDeleted } from './retention/metrics.ts';

/** All metrics of this plugin. */
export const metrics: readonly MetricDeclaration[] = [...recordMetrics, rowsDeleted];
