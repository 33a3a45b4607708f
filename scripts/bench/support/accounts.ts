import { TOKEN_ISSUER } from '../../../core/index.ts';
import type { Scratch } from '../../../core/testing.ts';
import { ACCOUNTS } from '../../../plugins/users/contract.ts';
import { withKernel } from './kernel.ts';

/**
 * Bearer tokens of new accounts, made beside the service on its database: signing up by HTTP is throttled, and hashes a
 * password for each.
 */
export function makeTokens(store: Scratch, count: number): Promise<string[]> {
  return withKernel(store, async (kernel) => {
    const tokens: string[] = [];
    for (let number = 1; number <= count; number += 1) {
      const username = `caller${number}`;
      const account = { username, email: `${username}@example.org` };
      const { id } = await kernel.get(ACCOUNTS).create(account);
      tokens.push(kernel.get(TOKEN_ISSUER).issue(id).token);
    }
    return tokens;
  });
}
