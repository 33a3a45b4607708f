import { expect } from 'chai';
import { DryRun, type DryRunDeps } from '../../../plugins/gateway/dry-run.ts';

describe('A dry run of the gateway', () => {
  it('reports one end of a window, however long the dry run takes', async () => {
    let time = Date.parse('2026-01-31T09:30:00Z');
    const limit = { name: 'user', policyId: null, requests: 1, windowS: 60 };
    const none = () => undefined;
    const book = { limitsOf: () => [limit], blockOfCaller: none, blockOfAlgorithm: none, routeOf: none };
    const spent = { allowed: false, remaining: 0, resetMs: 60_000, endsAt: 60_000, running: true };
    const dryRun = new DryRun({
      routing: { choose: none },
      rules: { current: () => book },
      allowances: { peek: async () => spent },
      clock: { now: () => (time += 1), elapsed: () => 0 },
    } as unknown as DryRunDeps);
    const { clears_at, limits } = await dryRun.check({} as never, '192.0.2.1', {});
    expect(limits[0]?.resets_at).to.equal(clears_at);
  });
});
