import { expect } from 'chai';
import { onEveryEngine, type Scratch } from '../../core/testing.ts';
import { clientOf } from '../support/service-client.ts';
import { startService, type ServiceProcess } from '../support/service-process.ts';
import { migratedScratch } from '../support/databases/migrated-scratch.ts';

describe('the showcase, as a process', () => {
  onEveryEngine((engine) => {
    let scratch: Scratch;
    let service: ServiceProcess;
    let client: ReturnType<typeof clientOf>;
    let token: string;
    let headers: { 'x-api-key': string };

    before(async () => {
      scratch = await migratedScratch(engine);
      service = await startService({ DATA_DIR: scratch.dataDir, DATABASE_URL: scratch.databaseUrl });
      client = clientOf(service.url);
      token = await client.signUp('ada');
      const key = await client.ok('POST', '/api-keys', {
        token,
        body: { name: 'laptop', expires_at: '2099-01-01T00:00:00Z' },
      });
      headers = { 'x-api-key': key.key };
    });

    after(async () => {
      await service?.end();
      await scratch?.remove();
    });

    it('prints where it serves, where the API pages are, and how to get the first administrator', () => {
      const { stdout } = service.output();
      expect(stdout).to.include('Vitrine serves at http://127.0.0.1:');
      expect(stdout).to.include(`${service.url}/docs`);
      expect(stdout).to.match(/administrator/);
    });

    it('has at least eight sample algorithms in it, and each answers its example through an API key', async () => {
      const { algorithms, total } = await client.ok('GET', '/algorithms');
      expect(total).to.be.at.least(8);
      for (const { id, name } of algorithms) {
        const versions = await client.ok('GET', `/algorithms/${id}/versions`);
        const version = versions.find((one: { is_default: boolean }) => one.is_default);
        const call = await client.ok('POST', '/algorithms/call', {
          headers,
          body: { algorithm_id: id, version_id: version.id, input_data: version.input_schema.examples[0] },
        });
        expect(call, name).to.include({ status: 'success', error_message: null, algorithm_id: id });
        expect(await client.ok('GET', `/algorithms/calls/${call.id}`, { headers })).to.deep.equal(call);
      }
    });

    it('shows the calls in history and statistics', async () => {
      const { total } = await client.ok('GET', '/algorithms');
      const history = await client.ok('GET', '/history/user-calls', { token });
      expect(history).to.include({ count: total, skip: 0, limit: 100 });
      const statistics = await client.ok('GET', '/history/statistics', { token });
      const today = new Date().toISOString().slice(0, 10);
      const calls = history.history as { created_at: string }[];
      const ofToday = calls.filter(({ created_at }) => created_at.startsWith(today));
      expect(statistics).to.include({ total_calls: total, success_rate: 100, today_calls: ofToday.length });
      expect(statistics.status_counts).to.deep.equal({ success: total });
    });

    it('describes every operation of the interface in its OpenAPI document', async () => {
      const { paths } = await client.ok('GET', '/openapi.json');
      const operations = Object.entries(paths as Record<string, object>).flatMap(([path, methods]) =>
        Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
      );
      expect(operations).to.include.members(INTERFACE);
    });

    it('finishes in order when asked to stop, and finds everything again', async () => {
      const before = await client.ok('GET', '/history/statistics', { token });
      const { code, stderr } = await service.end('SIGTERM');
      expect(code, stderr).to.equal(0);
      service = await startService({ DATA_DIR: scratch.dataDir, DATABASE_URL: scratch.databaseUrl });
      client = clientOf(service.url);
      expect(await client.ok('GET', '/history/statistics', { token })).to.deep.equal(before);
    });
  });
});

const INTERFACE = [
  'GET /algorithms',
  'POST /algorithms',
  'GET /algorithms/{algorithm_id}',
  'PUT /algorithms/{algorithm_id}',
  'DELETE /algorithms/{algorithm_id}',
  'GET /algorithms/{algorithm_id}/versions',
  'POST /algorithms/{algorithm_id}/versions',
  'GET /algorithms/{algorithm_id}/versions/{version_id}',
  'PUT /algorithms/{algorithm_id}/versions/{version_id}',
  'DELETE /algorithms/{algorithm_id}/versions/{version_id}',
  'POST /algorithms/call',
  'GET /algorithms/calls/{call_id}',
  'POST /gateway/call',
  'GET /gateway/stats',
  'POST /users/register',
  'POST /users/login',
  'GET /users/me',
  'GET /api-keys',
  'POST /api-keys',
  'DELETE /api-keys/{key_id}',
  'POST /llm/generate-data',
  'POST /llm/describe-image',
  'GET /history/user-calls',
  'GET /history/statistics',
  'GET /monitoring/health',
  'GET /monitoring/performance/algorithm/{algorithm_id}',
  'GET /health',
  'POST /permissions/check',
  'GET /repositories',
  'GET /repositories/{repo_id}',
  'POST /repositories',
  'PUT /repositories/{repo_id}',
  'DELETE /repositories/{repo_id}',
  'GET /repohost/config',
  'POST /repohost/config',
  'POST /repohost/repos/create',
  'PATCH /repohost/repos/update',
];
