import { expect } from 'chai';
import { createHealth, type HealthOptions } from '../../../core/telemetry/health-report.ts';
import type { HealthState } from '../../../core/telemetry/health.ts';
import { createLogger } from '../../../core/telemetry/pino-logger.ts';

const logger = createLogger({ level: 'silent' });

describe('health', () => {
  let millis = 0;
  const clock = { now: () => millis, elapsed: () => millis };

  function health(options: Partial<HealthOptions> = {}) {
    return createHealth({
      checks: [],
      clock,
      logger,
      deadlineMs: 30,
      ...options,
    });
  }

  function stateWith(...states: HealthState[]) {
    const checks = states.map((state, index) => ({ name: `plugin:${index}`, check: () => ({ state }) }));
    return health({ checks }).report();
  }

  it('is healthy when no check complains', async () => {
    expect((await stateWith('healthy')).state).to.equal('healthy');
  });

  it('is the worst of all findings', async () => {
    expect((await stateWith('degraded', 'unhealthy', 'healthy')).state).to.equal('unhealthy');
  });

  it('names every finding', async () => {
    expect((await stateWith('degraded')).findings).to.deep.equal({
      'plugin:0': { state: 'degraded' },
    });
  });

  it('is what a check says that its failure means', async () => {
    const check = () => Promise.reject(new Error('gone'));
    const checks = [{ name: 'core:database', check, failure: 'unhealthy' as const }];
    expect((await health({ checks }).report()).state).to.equal('unhealthy');
  });

  it('shows no internals of a failure', async () => {
    const check = () => Promise.reject(new Error('postgres://hush'));
    const report = await health({ checks: [{ name: 'plugin:x', check }] }).report();
    expect(JSON.stringify(report)).not.to.contain('hush');
  });

  it('is degraded when a check throws', async () => {
    const check = () => {
      throw new Error('boom');
    };
    expect((await health({ checks: [{ name: 'plugin:x', check }] }).report()).state).to.equal('degraded');
  });

  for (const finding of [undefined, true, { state: 'ok' }, { state: 'fault' }]) {
    it(`is degraded, and can be asked, when a check answers ${JSON.stringify(finding)}`, async () => {
      const checks = [{ name: 'plugin:x', check: () => finding as never }];
      const { state, findings } = await health({ checks }).report();
      expect([state, findings['plugin:x']!.state]).to.deep.equal(['degraded', 'degraded']);
    });
  }

  it('is degraded when a check is late', async () => {
    const check = () => new Promise<never>(() => {});
    expect((await health({ checks: [{ name: 'plugin:x', check }] }).report()).state).to.equal('degraded');
  });

  describe('is cached', () => {
    let asked: number;
    const check = () => {
      asked += 1;
      return { state: 'healthy' } as const;
    };
    const checks = [{ name: 'plugin:x', check }];

    beforeEach(() => {
      asked = 0;
    });

    it('so that probes that come together ask once', async () => {
      const { report } = health({ checks });
      await Promise.all([report(), report(), report()]);
      expect(asked).to.equal(1);
    });

    it('for a second only', async () => {
      const { report } = health({ checks });
      await report();
      millis += 1000;
      await report();
      expect(asked).to.equal(2);
    });
  });
});
