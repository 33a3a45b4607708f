import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { onEveryEngine } from '../../../core/testing.ts';
import { packageVersion } from '../../../core/support/package-root.ts';
import { until } from '../../support/until.ts';
import { startVitrine } from '../../support/vitrine.ts';

describe('the metrics for operators', () => {
  onEveryEngine((engine) => {
    it('name the build, and tell the size and the connections of the database, failed logins and the spool', async () => {
      const vitrine = await startVitrine(engine, { plugins: ['users', 'catalogue', 'invocation'] });
      const metrics = async () => (await fetch(`${vitrine.rootUrl}/metrics`)).text();
      const valueOf = async (name: string): Promise<number> => {
        const line = (await metrics()).split('\n').find((one) => one.startsWith(`${name} `));
        return Number(line?.slice(name.length));
      };
      try {
        await vitrine.admin();
        expect(await metrics()).to.match(
          new RegExp(
            `^vitrine_build_info\\{version="${packageVersion()}",revision="[0-9a-z]+",node="${process.versions.node}",engine="${engine}"\\} 1$`,
            'm',
          ),
        );
        await until(async () => (await valueOf('database_size_bytes')) > 8192);
        expect(await valueOf('database_pool_connections{state="max"}')).to.be.at.least(1);
        expect(await valueOf('database_pool_waiting')).to.equal(0);
        const failed = 'users_failed_logins_total{reason="wrong"}';
        const before = await valueOf(failed);
        const body = { username: 'admin', password: 'not the right one' };
        expect((await vitrine.request('POST', '/users/login', { body })).status).to.equal(401);
        expect((await valueOf(failed)) - before).to.equal(1);
        const spool = join(vitrine.scratch.dataDir, 'spool', 'calls');
        mkdirSync(spool, { recursive: true });
        writeFileSync(join(spool, 'x.json.refused'), '[{}]');
        expect(await valueOf('call_spool_refused_files')).to.equal(1);
        expect(await valueOf('call_spool_bytes')).to.equal(4);
        expect(await valueOf('call_spool_batches')).to.equal(0);
        expect(await valueOf('call_records_store_away')).to.equal(0);
      } finally {
        await vitrine.stop();
      }
    });
  });
});
