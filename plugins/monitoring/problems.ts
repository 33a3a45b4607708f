import { problem } from '../../core/index.ts';

export const PerformanceUnavailable = problem({
  code: 'performance_unavailable',
  status: 503,
  title: 'No figures about calls here',
  description:
    'Figures about calls come from the plugin `invocation`, which is switched off in this installation.',
});
