import type { MetricDeclaration } from '../../core/index.ts';

/** The gauges, each a share from 0 to 1, and the fields of the load that they show. */
export const gauges = [
  { name: 'system_cpu_utilization_ratio', of: 'cpu_percent', help: 'Share of the processor in use.' },
  { name: 'system_memory_utilization_ratio', of: 'memory_percent', help: 'Share of the memory in use.' },
  {
    name: 'system_disk_utilization_ratio',
    of: 'disk_percent',
    help: 'Share of the disk of the data directory in use.',
  },
] as const;

export const metrics: readonly MetricDeclaration[] = gauges.map(({ name, help }) => ({
  kind: 'gauge',
  name,
  help,
}));
