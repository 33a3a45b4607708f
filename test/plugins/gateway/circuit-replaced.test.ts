import { setImmediate as turn } from 'node:timers/promises';
import { expect } from 'chai';
import { systemClock } from '../../../core/support/clock.ts';
import { createLogger } from '../../../core/telemetry/pino-logger.ts';
import { createMetrics } from '../../../core/telemetry/prometheus.ts';
import { ALGORITHM_CHANGED_TOPIC, type AlgorithmVersion } from '../../../plugins/catalogue/contract.ts';
import { VersionCircuits } from '../../../plugins/gateway/circuits/version-circuits.ts';
import { circuitsOpened } from '../../../plugins/gateway/metrics.ts';
import type { CallOutcome } from '../../../plugins/invocation/contract.ts';

const failure: CallOutcome = { ok: false, code: 'upstream_error', message: 'It failed.', seconds: 0 };

describe('the circuit of a version that is changed while its calls fail', () => {
  it('keeps the failures after the change, however late the old circuit is dropped', async () => {
    let changed!: (algorithmId: string | undefined) => void;
    let read!: (version: AlgorithmVersion) => void;
    const version = new Promise<AlgorithmVersion>((resolve) => (read = resolve));
    const circuits = new VersionCircuits({
      settings: { breaker_failures: 2, breaker_open_ms: 300_000 },
      clock: systemClock,
      logger: createLogger({ level: 'silent' }),
      metrics: createMetrics([circuitsOpened]),
      catalogue: { version: () => version } as never,
      invalidation: {
        subscribe: (topic: string, invalidate: typeof changed) => {
          if (topic === ALGORITHM_CHANGED_TOPIC) changed = invalidate;
        },
      } as never,
      database: undefined as never,
      audit: undefined as never,
    });
    const callAt = (updated_at: string) =>
      circuits.run({ id: 'version', algorithm_id: 'algorithm', updated_at }, async () => failure);
    for (let n = 0; n < 2; n += 1) await callAt('before');
    changed('algorithm');
    await callAt('after');
    read({ updated_at: 'after' } as AlgorithmVersion);
    await turn();
    await callAt('after');
    expect(await callAt('after')).to.include({ code: 'circuit_open' });
  });
});
