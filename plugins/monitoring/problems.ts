import { problem } from '../../core/index.ts';

export const PerformanceUnavailable = problem({
  code: 'performance_unavailable',
  status: 503,
  title: 'No figures about calls here',
  description:
    'Figures about calls come from the plugin `invocation`, which is switched off in this installation.',
});

/** The problem of an installation without the plugin `invocation`. */
export function noCalls() {
  return PerformanceUnavailable(
    'This installation calls no algorithms: the plugin invocation is switched off.',
  );
}
