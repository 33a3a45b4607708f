import { page } from '../../core/index.ts';

const share = (en: string, zh: string, value: string) =>
  ({ kind: 'figure', title: { en, zh }, from: 'getSystemHealth', value, unit: '%' }) as const;

const calls = { from: 'getPerformanceSeries', query: { bucket: 'hour' }, rows: '/points', x: '/at' };

/** The page of the console for administrators. */
export const systemPage = page({
  id: 'system',
  title: { en: 'System', zh: '系统' },
  icon: 'chart',
  access: 'admin',
  kind: 'panels',
  panels: [
    { kind: 'figure', title: { en: 'State', zh: '状态' }, from: 'getSystemHealth', value: '/status' },
    share('Processor', '处理器', '/system_metrics/cpu_percent'),
    share('Memory', '内存', '/system_metrics/memory_percent'),
    share('Disk', '磁盘', '/system_metrics/disk_percent'),
    {
      kind: 'series',
      title: { en: 'Calls by hour', zh: '每小时调用数' },
      ...calls,
      lines: [
        { title: { en: 'Succeeded', zh: '成功' }, value: '/success' },
        { title: { en: 'Failed', zh: '失败' }, value: '/failed' },
      ],
    },
    {
      kind: 'series',
      title: { en: 'Response time in seconds', zh: '响应时间（秒）' },
      ...calls,
      lines: [
        { title: { en: 'Median', zh: '中位数' }, value: '/p50' },
        { title: { en: '95th percentile', zh: '第 95 百分位数' }, value: '/p95' },
      ],
    },
  ],
});
