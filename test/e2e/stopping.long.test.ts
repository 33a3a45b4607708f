import { expect } from 'chai';
import { makeScratch, onEveryEngine } from '../../core/testing.ts';
import { clientOf } from '../support/service-client.ts';
import { startService } from '../support/service-process.ts';
import { until } from '../support/until.ts';
import { startUpstream } from '../support/upstream.ts';

const CALLS = 40;

describe('stopping under load', () => {
  onEveryEngine((engine) => {
    for (const signal of ['SIGTERM', 'SIGHUP'] as const)
      it(`finishes the calls in flight at ${signal}, records them, and exits 0`, async () => {
        const scratch = await makeScratch(engine);
        const upstream = await startUpstream(async ({ body }) => {
          await new Promise((resolve) => setTimeout(resolve, 400));
          return { n: body.input_data.n };
        });
        const env = { DATA_DIR: scratch.dataDir, DATABASE_URL: scratch.databaseUrl, SAMPLES_SEED: 'false' };
        try {
          const service = await startService(env);
          const client = clientOf(service.url);
          const token = await client.signUp('ada');
          const { id: algorithm_id } = await client.ok('POST', '/algorithms', {
            token,
            body: { name: 'Slow', description: 'Takes its time', type: 'demo' },
          });
          const { id: version_id } = await client.ok('POST', `/algorithms/${algorithm_id}/versions`, {
            token,
            body: { version: '1', url: upstream.url },
          });
          const calls = Array.from({ length: CALLS }, (_, n) =>
            client.ok('POST', '/algorithms/call', {
              token,
              body: { algorithm_id, version_id, input_data: { n } },
            }),
          );
          await until(() => upstream.requests.length === CALLS);
          const [ended, ...answers] = await Promise.all([service.end(signal), ...calls]);
          expect(ended.code, ended.stderr).to.equal(0);
          expect(answers.map(({ status }) => status)).to.deep.equal(Array(CALLS).fill('success'));

          const again = await startService(env);
          const statistics = await clientOf(again.url).ok('GET', '/history/statistics', { token });
          await again.end();
          expect(statistics).to.include({ total_calls: CALLS, success_rate: 100 });
        } finally {
          await upstream.stop();
          await scratch.remove();
        }
      });
  });
});
