import { expect } from 'chai';
import { onEveryEngine, type Scratch, type TestResponse } from '../../core/testing.ts';
import { loopbackForms, refusedForms } from '../core/egress/url-forms.ts';
import { startUpstream, type Upstream } from '../support/upstream.ts';
import { startVitrine, type Vitrine } from '../support/vitrine.ts';
import { migratedScratch } from '../support/databases/migrated-scratch.ts';

/** Names, of which only a resolver knows where they lead; whoever resolves them is tested in test/core/egress. */
const NEEDS_RESOLVER = /^http:\/\/(rebound|127\.0\.0\.1\.nip|xn--rebound|localhost\.localdomain)/;
/** A repository may lie where `ssh` leads, and nobody follows it. */
const NO_WEB = ['ftp:', 'file:', 'gopher:', 'data:', 'javascript:', 'ext::', 'ws:', 'unix:', 'about:'];
/** Nobody serves a code host there, but an administrator who says so harms nobody. */
const ODD = /^http:\/\/(0\.0\.0\.0|224\.|255\.|198\.18\.|192\.88\.|\[::\]|\[ff02|\[fec0)/;

const PUBLIC_ONLY = {
  egress: { policy: 'public' },
  llm: { requests_per_minute: 100_000 },
  gateway: { rate_limit: 0 },
};

describe('URLs that lead where nobody may go', () => {
  onEveryEngine((engine) => {
    let canary: Upstream;
    let scratch: Scratch;
    let vitrine: Vitrine;
    let admin: string;
    let user: string;
    let versions: string;
    /** Versions from before the policy changed, each with a URL that leads to the canary. */
    let stored: { readonly id: string; readonly url: string }[];
    let hostile: readonly string[];

    const ask = (method: string, path: string, body: unknown, token = admin): Promise<TestResponse> =>
      vitrine.request(method, path, { token, body });

    before(async () => {
      canary = await startUpstream();
      scratch = await migratedScratch(engine);
      const port = new URL(canary.url).port;
      const toCanary = loopbackForms
        .filter((form) => !NEEDS_RESOLVER.test(form))
        .map((form) => form.replaceAll('PORT', port));
      hostile = [...toCanary, ...refusedForms];
      vitrine = await startVitrine(engine, { scratch });
      [admin, user] = [(await vitrine.admin()).token, (await vitrine.user('ursula')).token];
      const algorithm = { name: 'Canary', description: 'Is never asked', type: 'demo' };
      const { id } = (await ask('POST', '/algorithms', algorithm)).body;
      versions = `/algorithms/${id}/versions`;
      stored = [];
      for (const [at, url] of toCanary.entries()) {
        const { status, body } = await ask('POST', versions, { version: String(at), url });
        if (status === 200) stored.push(body);
      }
      await vitrine.stop();
      vitrine = await startVitrine(engine, { scratch, settings: PUBLIC_ONLY });
    });

    after(async () => {
      await vitrine?.stop();
      await scratch.remove();
      await canary.stop();
    });

    beforeEach(() => (canary.requests.length = 0));
    afterEach(() => expect(canary.requests, 'the canary was asked').to.deep.equal([]));

    /** The values that were not refused with one of some statuses. */
    async function passing(
      values: readonly string[],
      refuse: readonly number[],
      send: (value: string) => Promise<TestResponse>,
    ): Promise<string[]> {
      const passed: string[] = [];
      for (const value of values) {
        const { status } = await send(value);
        if (!refuse.includes(status)) passed.push(`${status} ${value.slice(0, 100)}`);
      }
      return passed;
    }

    it('cannot be registered as endpoints', async () => {
      const register = (url: string) => ask('POST', versions, { version: 'hostile', url });
      expect(await passing(hostile, [422], register)).to.deep.equal([]);
    });

    it('cannot be put in the place of an endpoint', async () => {
      const { id, url: before } = stored[0]!;
      const update = (url: string) => ask('PUT', `${versions}/${id}`, { url });
      const others = hostile.filter((url) => url !== before);
      expect(await passing(others, [422], update)).to.deep.equal([]);
      expect((await ask('GET', `${versions}/${id}`, undefined)).body.url).to.equal(before);
    });

    it('are not called, though they were registered when they were allowed', async () => {
      expect(stored.length).to.be.at.least(20);
      const [, , algorithm_id] = versions.split('/');
      for (const { id: version_id, url } of stored) {
        const { body } = await ask('POST', '/algorithms/call', { algorithm_id, version_id, input_data: {} });
        expect([body.status, body.error_code], url).to.deep.equal(['failed', 'egress_denied']);
      }
    });

    it('are not fetched as images', async () => {
      const describeImage = (image_url: string) => ask('POST', '/llm/describe-image', { image_url }, user);
      expect(await passing(hostile, [422], describeImage)).to.deep.equal([]);
    });

    it('are no servers of code, for administrators either where they lead to metadata', async () => {
      const configure = (token: string) => (server_url: string) =>
        ask('POST', '/repohost/config', { server_url, access_token: 'x' }, token);
      expect(await passing(hostile, [403], configure(user))).to.deep.equal([]);
      const refused = refusedForms.filter((form) => !ODD.test(form));
      expect(await passing(refused, [422], configure(admin))).to.deep.equal([]);
    });

    it('are no addresses of repositories where they are not of the web', async () => {
      const enter = (token: string) => (repo_url: string) =>
        ask('POST', '/repositories', { name: 'x', repo_url }, token);
      const noWeb = refusedForms.filter((form) => NO_WEB.some((scheme) => form.startsWith(scheme)));
      expect(await passing(hostile, [403], enter(user))).to.deep.equal([]);
      expect(await passing(noWeb, [422], enter(admin))).to.deep.equal([]);
    });
  });
});
