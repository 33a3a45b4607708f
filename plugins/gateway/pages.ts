import { page } from '../../core/index.ts';

const count = (en: string, zh: string, value: string) =>
  ({ kind: 'figure', title: { en, zh }, from: 'getGatewayStatistics', value }) as const;

/** The page of the console for administrators. */
export const requestsPage = page({
  id: 'requests',
  title: { en: 'Gateway', zh: '网关' },
  icon: 'key',
  access: 'admin',
  kind: 'panels',
  panels: [
    {
      kind: 'markdown',
      text: {
        en: 'Requests to `/gateway/call` since the counters began; those to `/algorithms/call` are the direct ones.',
        zh: '自开始计数以来对 `/gateway/call` 的请求；对 `/algorithms/call` 的请求为直接请求。',
      },
    },
    count('Requests', '请求', '/total_requests'),
    count('Succeeded', '成功', '/successful_requests'),
    count('Failed', '失败', '/failed_requests'),
    count('Blocked', '被阻止', '/blocked_requests'),
    count('Over a limit', '超出限制', '/rate_limited_requests'),
    count('Direct requests', '直接请求', '/direct/total_requests'),
    {
      kind: 'table',
      title: { en: 'Limits', zh: '限制' },
      from: 'listGatewayPolicies',
      rows: '/policies',
      columns: [
        { title: { en: 'Name', zh: '名称' }, value: '/name' },
        { title: { en: 'For each', zh: '对象' }, value: '/subject' },
        { title: { en: 'Requests', zh: '请求' }, value: '/limit' },
        { title: { en: 'Within seconds', zh: '时间窗口（秒）' }, value: '/window_s' },
        { title: { en: 'At once', zh: '并发' }, value: '/concurrency' },
        { title: { en: 'In effect', zh: '生效' }, value: '/enabled' },
      ],
    },
    {
      kind: 'table',
      title: { en: 'Blocks', zh: '阻止规则' },
      from: 'listGatewayBlocks',
      rows: '/blocks',
      columns: [
        { title: { en: 'What', zh: '对象' }, value: '/subject' },
        { title: { en: 'Value', zh: '值' }, value: '/value' },
        { title: { en: 'Reason', zh: '原因' }, value: '/reason' },
        { title: { en: 'Until', zh: '直到' }, value: '/until' },
        { title: { en: 'In effect', zh: '生效' }, value: '/active' },
      ],
    },
  ],
});
