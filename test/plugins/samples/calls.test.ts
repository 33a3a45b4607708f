import { expect } from 'chai';
import type { Engine } from '../../../core/index.ts';
import { onEveryEngine } from '../../../core/testing.ts';
import { samples } from '../../../plugins/samples/algorithms/index.ts';
import { startVitrine, type SignedIn, type Vitrine } from '../../support/vitrine.ts';

interface Version {
  readonly id: string;
  readonly algorithm_id: string;
  readonly url: string;
  readonly input_schema: { readonly examples: readonly object[] };
}

onEveryEngine((engine: Engine) => {
  describe('Calling samples', function () {
    this.timeout(60_000);
    let vitrine: Vitrine;
    let ada: SignedIn;
    let versions: Version[];

    before(async () => {
      vitrine = await startVitrine(engine, { plugins: ['users', 'catalogue', 'invocation', 'samples'] });
      ada = await vitrine.user('ada');
      const { body } = await vitrine.request('GET', '/algorithms');
      versions = await Promise.all(
        body.algorithms.map(async ({ id }: { id: string }) => {
          const { body: of } = await vitrine.request('GET', `/algorithms/${id}/versions`);
          return (of as Version[])[0]!;
        }),
      );
    });

    after(() => vitrine.stop());

    const call = (name: string, input_data?: object, params?: object) => {
      const version = versions.find(({ url }) => url === `plugin:samples/${name}`)!;
      const body = {
        algorithm_id: version.algorithm_id,
        version_id: version.id,
        input_data: input_data ?? version.input_schema.examples[0],
        ...(params && { params }),
      };
      return vitrine.request('POST', '/algorithms/call', { token: ada.token, body });
    };

    for (const { name } of samples) {
      it(`answers the published example of ${name}`, async () => {
        const { status, body } = await call(name);
        expect([status, body.status, body.error_message]).to.deep.equal([200, 'success', null]);
        expect(body.response_time).to.be.greaterThan(0);
        expect(Object.keys(body.output_data).length).to.be.greaterThan(0);
      });
    }

    it('records input that fits the schema but makes no sense as failed, in words', async () => {
      const { status, body } = await call('linear-regression', { rows: [[1], [1], [1]], y: [1, 2, 3] });
      expect(status).to.equal(200);
      expect(body).to.deep.include({ status: 'failed', error_code: 'upstream_rejected', output_data: null });
      expect(body.error_message).to.include('The column "x1" is the same in every row');
    });

    it('refuses input that breaks the schema before anything is run or recorded', async () => {
      const { status, body } = await call('k-means', { rows: 'many' });
      expect([status, body.errors[0].pointer]).to.deep.equal([422, '/body/input_data/rows']);
    });

    it('refuses parameters out of bounds', async () => {
      const { status, body } = await call('k-means', undefined, { k: 1000 });
      expect([status, body.errors[0].pointer]).to.deep.equal([422, '/body/params/k']);
    });

    it('lets an administrator point a version at an embedded algorithm, and at nothing else', async () => {
      const { token } = await vitrine.admin();
      const path = `/algorithms/${versions[0]!.algorithm_id}/versions`;
      const save = (version: string, url: string) =>
        vitrine.request('POST', path, { token, body: { version, url } });
      const wrong = await save('2', 'plugin:samples/fortune-telling');
      expect([wrong.status, wrong.body.errors[0].pointer]).to.deep.equal([422, '/body/url']);
      expect(wrong.body.detail).to.include('plugin:samples/k-means');
      const right = await save('3', 'plugin:samples/k-means');
      const body = {
        algorithm_id: versions[0]!.algorithm_id,
        version_id: right.body.id as string,
        input_data: { anything: true },
      };
      const unchecked = await vitrine.request('POST', '/algorithms/call', { token, body });
      expect(unchecked.body).to.deep.include({ status: 'failed', error_code: 'upstream_rejected' });
    });
  });
});
