import { expect } from 'chai';
import { newId } from '../../../core/index.ts';
import { onEveryEngine } from '../../../core/testing.ts';
import { CALL_LOG } from '../../../plugins/invocation/contract.ts';
import { startStage, type Stage } from './support/stage.ts';

const needsImage = {
  input_schema: { type: 'object', required: ['image'], properties: { image: { type: 'string' } } },
  params: { threshold: { type: 'number', default: 0.5, min: 0, max: 1 } },
};

describe('A call that is refused', () => {
  onEveryEngine((engine) => {
    let stage: Stage;
    before(async () => {
      stage = await startStage(engine);
    });
    after(() => stage.stop());
    afterEach('asks no endpoint and leaves no record', async () => {
      expect(stage.upstream.requests).to.have.length(0);
      expect(await stage.get(CALL_LOG).count({})).to.equal(0);
    });

    for (const algorithm_id of [newId(), 'nonsense', '']) {
      it(`names an algorithm that does not exist: "${algorithm_id}"`, async () => {
        const { status, body } = await stage.call({ algorithm_id, version_id: newId() });
        expect([status, body.code]).to.deep.equal([404, 'algorithm_not_found']);
      });
    }

    it('names a version of another algorithm', async () => {
      const [one, other] = [await stage.play(), await stage.play()];
      const { status, body } = await stage.call({ ...one, version_id: other.version_id });
      expect([status, body.code]).to.deep.equal([404, 'version_not_found']);
    });

    it('names an inactive algorithm, even for administrators', async () => {
      const of = await stage.play({ algorithm: { status: 'inactive' } });
      const { status, body } = await stage.call(of, {}, stage.admin);
      expect([status, body.code]).to.deep.equal([409, 'algorithm_inactive']);
    });

    it('names a restricted algorithm without a grant', async () => {
      const { status, body } = await stage.call(await stage.play({ algorithm: { access: 'restricted' } }));
      expect([status, body.code]).to.deep.equal([403, 'forbidden']);
    });

    it('has params outside of their bounds', async () => {
      const of = await stage.play({ version: needsImage });
      const { status, body } = await stage.call(of, { input_data: { image: 'x' }, params: { threshold: 2 } });
      expect(status).to.equal(422);
      expect(body.errors.map(({ pointer }: { pointer: string }) => pointer)).to.deep.equal([
        '/body/params/threshold',
      ]);
    });

    it('has input that breaks the input schema', async () => {
      const of = await stage.play({ version: needsImage });
      const { status, body } = await stage.call(of, { input_data: { image: 7 } });
      expect(status).to.equal(422);
      expect(body.errors[0].pointer).to.equal('/body/input_data/image');
    });

    for (const [what, more] of [
      ['no input', { input_data: undefined }],
      ['input that is a list', { input_data: [1] }],
      ['input that is null', { input_data: null }],
      ['params that are text', { params: 'fast' }],
    ] as const) {
      it(`has ${what}`, async () => {
        const { status, body } = await stage.call(await stage.play(), more);
        expect([status, body.code]).to.deep.equal([422, 'validation_failed']);
      });
    }

    it('reports the state before the permission', async () => {
      const of = await stage.play({ algorithm: { status: 'inactive', access: 'restricted' } });
      expect((await stage.call(of)).status).to.equal(409);
    });

    it('reports the permission before the params', async () => {
      const of = await stage.play({ algorithm: { access: 'restricted' }, version: needsImage });
      expect((await stage.call(of, { params: { threshold: 2 } })).status).to.equal(403);
    });

    it('reports the params before the input', async () => {
      const { body } = await stage.call(await stage.play({ version: needsImage }), {
        params: { threshold: 2 },
      });
      expect(body.errors[0].pointer).to.equal('/body/params/threshold');
    });
  });
});

describe('A record', () => {
  onEveryEngine((engine) => {
    let stage: Stage;
    let callId: string;
    before(async () => {
      stage = await startStage(engine);
      callId = (await stage.call(await stage.play())).body.id;
    });
    after(() => stage.stop());

    const read = (id: string, token: string) => stage.request('GET', `/algorithms/calls/${id}`, { token });

    it('is visible to administrators', async () => {
      const { status, body } = await read(callId, stage.admin);
      expect([status, body.id]).to.deep.equal([200, callId]);
    });

    it('is unknown to other users, like one that does not exist', async () => {
      const bob = await stage.signUp('bob');
      const unknown = newId();
      const [foreign, never] = [await read(callId, bob), await read(unknown, bob)];
      const told = ({ body }: typeof foreign, id: string) =>
        JSON.stringify({ ...body, request_id: '' }).replaceAll(id, 'ID');
      expect([foreign.status, never.status]).to.deep.equal([404, 404]);
      expect(told(foreign, callId)).to.equal(told(never, unknown));
    });

    for (const id of ['nonsense', '%00', '__proto__', 'a'.repeat(300)]) {
      it(`is unknown under the id ${id.slice(0, 20)}`, async () => {
        expect((await read(id, stage.admin)).status).to.equal(404);
      });
    }
  });
});
