import { TOKEN_ISSUER } from '../../../core/index.ts';
import { boot } from '../../../core/kernel/boot.ts';
import { makePlan } from '../../../core/kernel/plan.ts';
import type { Scratch } from '../../../core/testing.ts';
import { ACCOUNTS } from '../../../plugins/users/contract.ts';

/**
 * Bearer tokens of new accounts, made beside the service on its database: signing up by HTTP is throttled, and hashes a
 * password for each.
 */
export async function makeTokens(store: Scratch, count: number): Promise<string[]> {
  const env = { ...process.env, DATA_DIR: store.dataDir, DATABASE_URL: store.databaseUrl, LOG_LEVEL: 'warn' };
  const kernel = await boot(await makePlan({ env, cwd: store.dataDir }), { listen: false });
  try {
    const tokens: string[] = [];
    for (let number = 1; number <= count; number += 1) {
      const username = `caller${number}`;
      const account = { username, email: `${username}@example.org` };
      const { id } = await kernel.get(ACCOUNTS).create(account);
      tokens.push(kernel.get(TOKEN_ISSUER).issue(id).token);
    }
    return tokens;
  } finally {
    await kernel.stop();
  }
}
