import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { BACKENDS, DATABASE } from '../../core/index.ts';
import { onEveryEngine, systemClock } from '../../core/testing.ts';
import { endingKeys } from '../../plugins/api-keys/doctor.ts';
import { backendsCheck } from '../../plugins/catalogue/doctor.ts';
import { CATALOGUE } from '../../plugins/catalogue/contract.ts';
import { providersCheck } from '../../plugins/oidc/doctor.ts';
import { growthCheck, spoolCheck } from '../../plugins/invocation/doctor.ts';
import { administrators, passwordHashing } from '../../plugins/users/doctor.ts';
import { CLIENT_ID, IdentityProvider } from '../support/identity-provider.ts';
import { startUpstream } from '../support/upstream.ts';
import { startVitrine, type Vitrine } from '../support/vitrine.ts';

const DAY = 86_400_000;

onEveryEngine((engine) => {
  describe('what plugins let the doctor check', () => {
    let vitrine: Vitrine;
    const plugins = ['users', 'api-keys', 'catalogue', 'invocation'];
    before(async () => void (vitrine = await startVitrine(engine, { plugins })));
    after(() => vitrine.stop());

    const run = async (check: { check: (deps: never) => unknown }, deps: object = {}) => {
      const all = { database: vitrine.get(DATABASE), clock: systemClock, ...deps };
      return (await check.check(all as never)) as { state: string; message: string; mend?: string }[];
    };

    it('password hashing, and whether there is an administrator', async () => {
      const settings = { first_is_admin: false, registration: false };
      expect((await run(passwordHashing))[0]).to.include({ state: 'ok' });
      expect((await run(administrators, { settings }))[0]!.mend).to.include('vitrine create-admin');
      await vitrine.admin();
      expect((await run(administrators, { settings }))[0]!.message).to.equal('Active administrators: 1.');
    });

    it('API keys that end soon', async () => {
      const settings = { warn_days: 7 };
      const { token } = await vitrine.admin();
      const made = (name: string, days: number) =>
        vitrine.request('POST', '/api-keys', {
          token,
          body: { name, expires_at: new Date(Date.now() + days * DAY).toISOString() },
        });
      expect((await made('lasting', 90)).status).to.equal(200);
      expect((await run(endingKeys, { settings }))[0]).to.include({ state: 'ok' });
      expect((await made('nightly', 3)).status).to.equal(200);
      const [finding] = await run(endingKeys, { settings });
      expect(finding).to.include({ state: 'warning' });
      expect(finding!.message).to.include('"nightly"').and.not.to.include('lasting');
      const later = { now: () => Date.now() + 4 * DAY, elapsed: systemClock.elapsed };
      expect((await run(endingKeys, { settings, clock: later }))[0]).to.include({ state: 'ok' });
    });

    it('OpenID providers that are away, are others than they should be, or are reached without TLS', async () => {
      const corp = new IdentityProvider();
      await corp.start();
      const provider = { id: 'corp', name: 'Corporate', issuer: corp.issuer, client_id: CLIENT_ID };
      const of = (...providers: object[]) =>
        run(providersCheck, {
          backends: vitrine.get(BACKENDS),
          settings: { providers, client_secrets: [] },
        });
      expect(await of()).to.deep.equal([{ state: 'ok', message: 'No OpenID provider is configured.' }]);
      const [found, plain] = await of(provider);
      expect(found).to.deep.equal({
        state: 'ok',
        message: `The provider "Corporate" answers as ${corp.issuer}.`,
      });
      expect(plain).to.include({ state: 'warning' });
      expect(plain!.message).to.include('plain HTTP');
      const [other] = await of({ ...provider, issuer: corp.issuer.replace('127.0.0.1', 'localhost') });
      expect(other).to.include({ state: 'warning' });
      expect(other!.message).to.include('issuer');
      await corp.stop();
      const [away] = await of(provider);
      expect(away).to.include({ state: 'warning' });
      expect(away!.message).to.include('"Corporate"');
      expect(away!.mend).to.include(`${corp.issuer}/.well-known/openid-configuration`);
    });

    it('servers of endpoints that are away or have a certificate that ends', async () => {
      const { create, createVersion } = bound(vitrine);
      const { id } = await create({ name: 'Echo', description: 'Says it again', type: 'nlp' });
      await createVersion(id, { version: '1', url: 'http://gone.example/one' });
      await createVersion(id, { version: '2', url: 'http://gone.example/two' });
      await createVersion(id, { version: '3', url: 'https://old.example/' });
      await createVersion(id, { version: '4', url: 'HTTPS://Fine.example/' });
      const asked: string[] = [];
      const egress = {
        connect: async (url: string) => {
          asked.push(url);
          if (url.includes('gone')) throw new Error('It is away.');
          return { certificateEnds: Date.now() + (url.includes('old') ? 2 : 90) * DAY };
        },
      };
      const [sum, ...bad] = await run(backendsCheck, { egress });
      expect(asked).to.have.members(['http://gone.example', 'https://old.example', 'https://fine.example']);
      expect(sum!.message).to.include('1 of 3 servers');
      expect(bad.map(({ message }) => message).join()).to.include('"Echo" cannot be reached: It is away.');
      expect(bad.map(({ message }) => message).join()).to.include(
        'https://old.example of the algorithm "Echo" has a certificate',
      );
      expect(bad.every(({ state, mend }) => state === 'warning' && mend)).to.equal(true);
      const { token } = await vitrine.admin();
      const body = { status: 'inactive' };
      expect((await vitrine.request('PUT', `/algorithms/${id}`, { token, body })).status).to.equal(200);
      expect(await run(backendsCheck, { egress })).to.have.length(1);
    });

    it('the growth of the records, and a clock that was set back', async () => {
      expect((await run(growthCheck))[0]!.message).to.equal('No call was recorded yet.');
      const upstream = await startUpstream(() => ({ ok: true }));
      try {
        const { token } = await vitrine.admin();
        const { create, createVersion } = bound(vitrine);
        const { id } = await create({ name: 'Called', description: 'Is called', type: 'nlp' });
        const version = await createVersion(id, { version: '1', url: upstream.url });
        const call = async (input_data: object) => {
          const body = { algorithm_id: id, version_id: version.id, input_data };
          expect((await vitrine.request('POST', '/algorithms/call', { token, body })).status).to.equal(200);
        };
        await call({});
        expect((await run(growthCheck))[0]!.message).to.match(/^1 call in the last 24 hours, about 0\.0 MiB/);
        // Letters of two bytes each.
        await call({ text: 'ä'.repeat(500_000) });
        expect((await run(growthCheck))[0]!.message).to.match(
          /^2 calls in the last 24 hours, about 1\.0 MiB; the newest was recorded at /,
        );
      } finally {
        await upstream.stop();
      }
      const early = { now: () => Date.now() - DAY, elapsed: systemClock.elapsed };
      expect((await run(growthCheck, { clock: early }))[0]).to.include({ state: 'warning' });
    });

    it('what waits in the spool, and what the database refused', async () => {
      const { dataDir: dataDirectory } = vitrine.scratch;
      const elsewhere = join(dataDirectory, 'elsewhere');
      const found = () => run(spoolCheck, { dataDirectory: elsewhere });
      expect((await found())[0]).to.include({ state: 'ok' });
      mkdirSync(join(elsewhere, 'spool', 'calls'), { recursive: true });
      writeFileSync(join(elsewhere, 'spool', 'calls', 'a.json'), '[]');
      writeFileSync(join(elsewhere, 'spool', 'calls', 'b.json.refused'), 'x'.repeat(1_048_576));
      writeFileSync(join(elsewhere, 'spool', 'calls', 'c.json.tmp'), 'x'.repeat(1_048_576));
      const findings = await found();
      expect(findings.map(({ state }) => state)).to.deep.equal(['warning', 'warning']);
      expect(findings[0]!.message).to.include('1 batch of records (0.0 MiB), kept in ');
      expect(findings[1]!.message).to.include('the records of 1 .refused file in ');
      writeFileSync(join(elsewhere, 'spool', 'calls', 'd.json'), 'x'.repeat(1_048_576));
      expect((await found())[0]!.message).to.include('2 batches of records (1.0 MiB), kept in ');
    });
  });
});

function bound(vitrine: Vitrine) {
  const catalogue = vitrine.get(CATALOGUE);
  return {
    create: catalogue.create.bind(catalogue),
    createVersion: catalogue.createVersion.bind(catalogue),
  };
}
