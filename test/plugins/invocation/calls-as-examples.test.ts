import { expect } from 'chai';
import { onEveryEngine, type TestResponse } from '../../../core/testing.ts';
import { startStage, type Playable, type Stage } from './support/stage.ts';

describe('A call as an example of its version', () => {
  onEveryEngine((engine) => {
    let stage: Stage;
    let of: Playable;
    before(async () => {
      stage = await startStage(engine, ({ path }, response) =>
        path === '/broken' ? response.writeHead(500).end() : { label: 'cat' },
      );
    });
    after(() => stage.stop());
    beforeEach(async () => {
      of = await stage.play();
      const body = {
        algorithm_id: of.algorithm_id,
        user_id: await idOf(stage.alice),
        permission_type: 'manage',
      };
      await stage.request('POST', '/permissions/grants', { token: stage.admin, body });
    });

    const idOf = async (token: string): Promise<string> =>
      (await stage.request('GET', '/users/me', { token })).body.id;
    const save = (
      call_id: string,
      token = stage.alice,
      { algorithm_id, version_id } = of,
    ): Promise<TestResponse> =>
      stage.request('POST', `/algorithms/${algorithm_id}/versions/${version_id}/examples`, {
        token,
        body: { name: 'A call', call_id },
      });
    const called = async (more: Readonly<Record<string, unknown>> = {}, token?: string): Promise<string> =>
      (await stage.call(of, { input_data: { n: 1 }, params: { top: 2 }, ...more }, token)).body.id;
    const expectRefused = ({ status, body }: TestResponse): void =>
      void expect([status, body.errors[0].pointer]).to.deep.equal([422, '/body/call_id']);

    it('has its input, params and output', async () => {
      const { status, body } = await save(await called());
      expect(status).to.equal(200);
      expect(body).to.deep.include({
        name: 'A call',
        input_data: { n: 1 },
        params: { top: 2 },
        output_data: { label: 'cat' },
        fits: true,
      });
    });

    it('has no output when the call failed', async () => {
      of = await stage.play({ version: { url: `${stage.upstream.url}/broken` } });
      const { body } = await save(await called({}, stage.admin), stage.admin);
      expect(body).to.deep.include({ input_data: { n: 1 }, output_data: null });
    });

    it('is refused to others than its caller, as an unknown call is', async () => {
      const theirs = await save(await called({}, stage.admin));
      expectRefused(theirs);
      const unknown = await save('nonsense');
      expect(theirs.body.errors).to.deep.equal(unknown.body.errors);
    });

    it('is taken from anyone by an administrator', async () => {
      expect((await save(await called(), stage.admin)).status).to.equal(200);
    });

    it('is refused for another version', async () => {
      const id = await called();
      expectRefused(await save(id, stage.admin, await stage.play()));
    });

    it('is refused when the record does not hold its input as it was', async () => {
      const policy = { input_data: { mode: 'redact', pointers: ['/n'] } };
      const path = `/algorithms/${of.algorithm_id}/payload-policy`;
      await stage.request('PUT', path, { token: stage.admin, body: policy });
      expectRefused(await save(await called()));
    });

    it('is refused when the version does not accept its input any more', async () => {
      const id = await called();
      const body = { input_schema: { properties: { n: { type: 'string' } } } };
      const path = `/algorithms/${of.algorithm_id}/versions/${of.version_id}`;
      await stage.request('PUT', path, { token: stage.admin, body });
      expectRefused(await save(id));
    });
  });
});
