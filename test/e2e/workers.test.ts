import { expect } from 'chai';
import { makeScratch } from '../../core/testing.ts';
import { clientOf } from '../support/service-client.ts';
import { runCommand, startService } from '../support/service-process.ts';
import { startUpstream } from '../support/upstream.ts';

const CALLS = 60;

describe('several worker processes', () => {
  it('share one port and one PostgreSQL, count together, and stop in order', async () => {
    const scratch = await makeScratch('postgres');
    const upstream = await startUpstream();
    const env = { DATA_DIR: scratch.dataDir, DATABASE_URL: scratch.databaseUrl, SAMPLES_SEED: 'false' };
    try {
      const service = await startService(env, ['--workers', '2']);
      const client = clientOf(service.url);
      const token = await client.signUp('ada');
      const body = { name: 'Echo', description: 'Says it again', type: 'demo' };
      const { id: algorithm_id } = await client.ok('POST', '/algorithms', { token, body });
      const { id: version_id } = await client.ok('POST', `/algorithms/${algorithm_id}/versions`, {
        token,
        body: { version: '1', url: upstream.url },
      });
      const call = (n: number) =>
        client.request('POST', '/algorithms/call', {
          token,
          body: { algorithm_id, version_id, input_data: { n } },
        });
      const answers = await Promise.allSettled(Array.from({ length: CALLS }, (_, n) => call(n)));
      const answered = answers.filter(({ status }) => status === 'fulfilled').length;
      expect(answered).to.equal(CALLS);
      const { total_calls } = await client.ok('GET', '/history/statistics', { token });
      expect(total_calls).to.equal(CALLS);
      expect((await service.end()).code).to.equal(0);
    } finally {
      await upstream.stop();
      await scratch.remove();
    }
  });

  it('are refused on SQLite, with the way out', async () => {
    const scratch = await makeScratch('sqlite');
    const env = { DATA_DIR: scratch.dataDir, DATABASE_URL: scratch.databaseUrl };
    const { code, stderr } = await runCommand(['start', '--workers', '2'], env);
    await scratch.remove();
    expect(code).to.equal(1);
    expect(stderr).to.include('DATABASE_URL').and.include('postgres://');
  });

  it('are a whole number', async () => {
    expect((await runCommand(['start', '--workers', 'many'], {})).code).to.equal(2);
  });
});
