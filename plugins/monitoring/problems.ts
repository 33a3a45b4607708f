import { problem } from '../../core/index.ts';

export const PerformanceUnavailable = problem({
  code: 'performance_unavailable',
  status: 503,
  title: 'No figures about calls here',
  description:
    'Figures about calls come from the plugin `invocation`, which is switched off in this installation.',
});

export const TooManyStreams = problem({
  code: 'too_many_streams',
  status: 429,
  title: 'Too many live streams',
  description:
    'This process or this account has as many live streams open as allowed. Close one, or poll every few seconds instead.',
  headers: { 'Retry-After': 'Seconds after which another attempt makes sense.' },
});

/** The problem of an installation without the plugin `invocation`. */
export function noCalls() {
  return PerformanceUnavailable(
    'This installation calls no algorithms: the plugin invocation is switched off.',
  );
}
