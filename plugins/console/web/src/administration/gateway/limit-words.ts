import { adminText, showSpan } from '../../texts/text.ts';
import type { Policy } from './queries.ts';

type Limit = Pick<Policy, 'limit' | 'window_s' | 'concurrency'>;

/** What a limit allows: `10 calls within 1 minute, 3 at once`. */
export function showLimit({ limit, window_s, concurrency }: Limit): string {
  const words = adminText.gateway.policies;
  const parts = [
    limit !== null && words.allowed(limit, showSpan(window_s)),
    concurrency !== null && words.atOnce(concurrency),
  ];
  return parts.filter((part) => part !== false).join(' · ');
}
