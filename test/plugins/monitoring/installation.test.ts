import { expect } from 'chai';
import { onEveryEngine, type TestResponse } from '../../../core/testing.ts';
import { startVitrine, type SignedIn, type Vitrine } from '../../support/vitrine.ts';

interface Named {
  readonly id: string;
}

onEveryEngine((engine) => {
  describe('the installation', () => {
    let vitrine: Vitrine;
    let admin: SignedIn;
    before(async () => {
      const plugins = ['users', 'audit', 'monitoring', 'reference'];
      const settings = {
        audit: { kept_days: 7 },
        secrets: { key: 'seventeen-quiet-rivers-and-a-far-green-hill' },
      };
      vitrine = await startVitrine(engine, { plugins, settings });
      admin = await vitrine.admin();
    });
    after(() => vitrine.stop());

    const ask = (path: string): Promise<TestResponse> => vitrine.request('GET', path, { token: admin.token });
    const one = (list: readonly Named[], id: string) => list.find((each) => each.id === id);

    it('has plugins, with what they serve in the API and beside it', async () => {
      const { body } = await ask('/plugins');
      expect(body.total).to.equal(body.plugins.length).and.to.be.at.least(4);
      expect(one(body.plugins, 'audit')).to.deep.include({
        state: 'on',
        version: '1.0.0',
        left_out_because: null,
        routes: ['GET /audit', 'GET /audit/export'],
        addresses: [],
      });
      const { routes, addresses } = one(body.plugins, 'reference') as unknown as Record<string, string[]>;
      expect(routes).to.deep.equal(['GET /openapi.json']);
      expect(addresses).to.include('/docs');
    });

    it('has settings, each with where its value comes from', async () => {
      const { body } = await ask('/settings');
      const setting = (section: string, key: string) =>
        body.settings.find(
          (each: Record<string, unknown>) => each['section'] === section && each['key'] === key,
        );
      expect(setting('audit', 'kept_days')).to.deep.include({
        value: 7,
        source: 'override',
        changed: true,
        env: 'AUDIT_KEPT_DAYS',
      });
      expect(setting('monitoring', 'disk_degraded_percent')).to.include({
        source: 'default',
        changed: false,
      });
    });

    it('never tells a secret', async () => {
      const { body } = await ask('/settings');
      expect(JSON.stringify(body)).to.include('"********"').and.not.to.include('quiet-rivers');
    });

    it('has jobs, with how the last run went', async () => {
      const job = async () => one((await ask('/jobs')).body.jobs, 'audit:old-entries');
      expect(await job()).to.deep.include({ schedule: 'every 24h', running: false, failures: 0, last: null });
      await vitrine.runJob('audit:old-entries');
      const { last } = (await job()) as unknown as { readonly last: Record<string, unknown> };
      expect(last['fault']).to.equal(null);
      expect(Date.now() - Date.parse(String(last['at']))).to.be.within(0, 60_000);
    });

    it('is shown to administrators only', async () => {
      const { token } = await vitrine.user('ada');
      for (const path of ['/plugins', '/settings', '/jobs']) {
        expect((await vitrine.request('GET', path, { token })).status, path).to.equal(403);
        expect((await vitrine.request('GET', path)).status, path).to.equal(401);
      }
    });
  });
});
