import type { NamedLimit } from '../rules/rule-book.ts';
import type { Allowances } from './allowances.ts';
import type { Taken } from './limit-headers.ts';

/** Takes a request from each limit. When one is used up, it is the last of the result, and nothing is taken. */
export async function takeAll(
  allowances: Allowances,
  limits: readonly NamedLimit[],
): Promise<readonly Taken[]> {
  const taken: Taken[] = [];
  for (const limit of limits) {
    const grant = await allowances.take(limit);
    if (!grant.allowed) return [...giveBackAll(allowances, taken), { limit, grant }];
    taken.push({ limit, grant });
  }
  return taken;
}

/** Returns requests that were taken and not made; answers the updated grants. */
export function giveBackAll(allowances: Allowances, taken: readonly Taken[]): readonly Taken[] {
  return taken.map(({ limit, grant }) => ({ limit, grant: allowances.giveBack(limit, grant) }));
}
