import type { MetricDeclaration } from '../../core/index.ts';

/** Why an attempt to sign in, or to change a password, failed. */
export const loginFailures = ['wrong', 'wrong_current_password', 'throttled'] as const;
export type LoginFailure = (typeof loginFailures)[number];

export const failedLogins: MetricDeclaration = {
  kind: 'counter',
  name: 'users_failed_logins_total',
  help: 'Attempts to sign in or to change a password that failed: wrong (also unknown and disabled accounts), wrong_current_password, or throttled after too many others.',
  labels: ['reason'],
};
