import { expect } from 'chai';
import { onEveryEngine, type TestResponse } from '../../../core/testing.ts';
import { CALLABLES, type Callables } from '../../../plugins/catalogue/callables.ts';
import { EXAMPLES, type Examples } from '../../../plugins/catalogue/examples/examples.ts';
import { publishedBy } from './support/published.ts';
import { openShowcase, type Showcase } from './support/showcase.ts';

const UNKNOWN = '01890000-0000-7000-8000-000000000000';
const TEXT = {
  input_schema: {
    type: 'object',
    required: ['text'],
    properties: { text: { type: 'string', maxLength: 20 } },
  },
  params: { top: { type: 'integer', default: 3, min: 1, max: 5 } },
};
const HELLO = { name: 'Hello', input_data: { text: 'hello' } };

const pointers = ({ body }: TestResponse) => body.errors.map(({ pointer }: { pointer: string }) => pointer);

describe('The examples of a version', () => {
  onEveryEngine((engine) => {
    let showcase: Showcase;
    let version: string;
    let examples: string;
    const manage = (method: string, path: string, body?: unknown) =>
      showcase.as(showcase.admin, method, path, body);
    const add = (fields: object = {}) => manage('POST', examples, { ...HELLO, ...fields });
    const list = async () => (await showcase.as(undefined, 'GET', examples)).body;
    const defaults = async () =>
      (await list())
        .filter(({ is_default }: { is_default: boolean }) => is_default)
        .map(({ name }: { name: string }) => name);

    before(async () => {
      showcase = await openShowcase(engine);
    });
    after(() => showcase.service.stop());

    beforeEach(async () => {
      const algorithm = await showcase.algorithm();
      const { id } = await showcase.version(algorithm, TEXT);
      version = `/algorithms/${algorithm}/versions/${id}`;
      examples = `${version}/examples`;
    });

    it('are shown to everyone as they were saved, oldest first', async () => {
      const tolerance = { absolute: 0.5 };
      const full = { description: 'Two', params: { top: 2 }, output_data: { words: 1 }, tolerance };
      const [{ body: first }, { body: second }] = [await add(), await add({ name: 'Two', ...full })];
      expect(await list()).to.deep.equal([first, second]);
      expect((await showcase.as(undefined, 'GET', `${examples}/${second.id}`)).body).to.deep.equal(second);
      const nothing = { description: '', params: {}, output_data: null, tolerance: null };
      expect(first).to.deep.include({ ...HELLO, ...nothing, fits: true });
      expect(second).to.deep.include({ ...full, name: 'Two', is_default: false });
    });

    for (const [what, fields, pointer] of [
      ['without a name', { name: undefined }, '/body/name'],
      ['with a blank name', { name: ' ' }, '/body/name'],
      ['without input', { input_data: undefined }, '/body/input_data'],
      ['with input that the schema refuses', { input_data: { text: 7 } }, '/body/input_data/text'],
      ['with a param out of its bounds', { params: { top: 9 } }, '/body/params/top'],
      ['with an unknown param', { params: { bottom: 1 } }, '/body/params/bottom'],
      ['with a tolerance below zero', { tolerance: { absolute: -1 } }, '/body/tolerance/absolute'],
      ['with an output that is no object', { output_data: [] }, '/body/output_data'],
      ['with more than 256 KiB', { output_data: { text: 'x'.repeat(262_144) } }, '/body'],
      ['with input and a call', { call_id: UNKNOWN }, '/body/call_id'],
      ['with a call that nothing knows', { input_data: undefined, call_id: UNKNOWN }, '/body/call_id'],
    ] as const) {
      it(`are refused ${what}, at ${pointer}`, async () => {
        const answer = await add(fields);
        expect([answer.status, pointers(answer)]).to.deep.equal([422, [pointer]]);
        expect(await list()).to.deep.equal([]);
      });
    }

    it('are at most fifty', async () => {
      for (let n = 0; n < 50; n += 1) expect((await add()).status).to.equal(200);
      const { status, body } = await add();
      expect([status, body.code]).to.deep.equal([409, 'too_many_examples']);
    });

    it('are changed only in what is named', async () => {
      const { body: before } = await add({ output_data: { words: 1 } });
      const { body } = await manage('PUT', `${examples}/${before.id}`, { name: 'Hi', output_data: null });
      expect(body).to.deep.equal({ ...before, name: 'Hi', output_data: null, updated_at: body.updated_at });
      expect(await list()).to.deep.equal([body]);
    });

    it('take back what was read, and nothing changes', async () => {
      const { body: before } = await add();
      expect((await manage('PUT', `${examples}/${before.id}`, before)).body).to.deep.equal(before);
    });

    it('refuse a change that the version does not accept, and another id', async () => {
      const { body: before } = await add();
      const change = (body: object) => manage('PUT', `${examples}/${before.id}`, body);
      expect(pointers(await change({ params: { top: 0 } }))).to.deep.equal(['/body/params/top']);
      expect(pointers(await change({ id: UNKNOWN }))).to.deep.equal(['/body/id']);
      expect(await list()).to.deep.equal([before]);
    });

    it('are gone when they are deleted', async () => {
      const { body } = await add();
      const answer = await manage('DELETE', `${examples}/${body.id}`);
      expect([answer.status, await list()]).to.deep.equal([200, []]);
      expect((await showcase.as(undefined, 'GET', `${examples}/${body.id}`)).body.code).to.equal(
        'example_not_found',
      );
    });

    it('go with their version, and with their algorithm', async () => {
      await add();
      expect((await manage('DELETE', version)).status).to.equal(200);
      const algorithm = await showcase.algorithm();
      const { id } = await showcase.version(algorithm);
      await manage('POST', `/algorithms/${algorithm}/versions/${id}/examples`, HELLO);
      expect((await manage('DELETE', `/algorithms/${algorithm}`)).status).to.equal(200);
    });

    it('are not those of another version', async () => {
      const { body } = await add();
      const other = await showcase.algorithm();
      const { id } = await showcase.version(other);
      const path = `/algorithms/${other}/versions/${id}/examples/${body.id}`;
      const statuses = [];
      for (const method of ['GET', 'PUT', 'DELETE'])
        statuses.push((await manage(method, path, method === 'PUT' ? {} : undefined)).status);
      expect(statuses).to.deep.equal([404, 404, 404]);
    });

    it('are written by managers only', async () => {
      const user = await showcase.service.user('ann');
      const { body } = await add();
      const statuses = [
        await showcase.as(undefined, 'POST', examples, HELLO),
        await showcase.as(user, 'POST', examples, HELLO),
        await showcase.as(user, 'PUT', `${examples}/${body.id}`, {}),
        await showcase.as(user, 'DELETE', `${examples}/${body.id}`),
      ].map(({ status }) => status);
      expect(statuses).to.deep.equal([401, 403, 403, 403]);
    });

    describe('of which one is the default', () => {
      it('have the first one as the default, until another one is set', async () => {
        await add({ is_default: false });
        await add({ name: 'Second' });
        expect(await defaults()).to.deep.equal(['Hello']);
        await add({ name: 'Third', is_default: true });
        expect(await defaults()).to.deep.equal(['Third']);
      });

      it('give the mark to the oldest other one when it is taken back or deleted', async () => {
        await add({ name: 'First' });
        await add({ name: 'Second' });
        const { body } = await add({ name: 'Third', is_default: true });
        await manage('PUT', `${examples}/${body.id}`, { is_default: false });
        expect(await defaults()).to.deep.equal(['First']);
        await manage('PUT', `${examples}/${body.id}`, { is_default: true });
        await manage('DELETE', `${examples}/${body.id}`);
        expect(await defaults()).to.deep.equal(['First']);
      });

      it('keep the mark on the only one', async () => {
        const { body } = await add();
        await manage('PUT', `${examples}/${body.id}`, { is_default: false });
        expect(await defaults()).to.deep.equal(['Hello']);
      });
    });

    it('publish nothing where nothing changes', async () => {
      const { body: before } = await add();
      const published = publishedBy(showcase.service);
      await manage('PUT', `${examples}/${before.id}`, before);
      await manage('PUT', version, {});
      expect(published).to.deep.equal([]);
      await manage('PUT', `${examples}/${before.id}`, { name: 'Other' });
      expect(published).to.have.lengthOf(1);
    });

    describe('whose version changes', () => {
      const shorter = { properties: { text: { type: 'string', maxLength: 4 } } };
      /** Does something once, between the check of an example and what is written then. */
      const inBetween = (work: () => Promise<unknown>) => {
        const callables = showcase.service.get(CALLABLES);
        callables.fresh = async (...ids) => {
          delete (callables as Partial<Callables>).fresh;
          const callable = await callables.fresh(...ids);
          const { checkInput } = callable;
          return {
            ...callable,
            checkInput: async (value) => {
              const findings = await checkInput(value);
              await work();
              return findings;
            },
          };
        };
      };

      it('are not judged by what they were before they were changed meanwhile', async () => {
        const { body } = await add();
        inBetween(() => manage('PUT', `${examples}/${body.id}`, { input_data: { text: 'hi' } }));
        const answer = await manage('PUT', version, { input_schema: shorter });
        expect(answer.body).to.not.have.property('unfit_examples');
        expect((await list())[0]).to.deep.include({ input_data: { text: 'hi' }, fits: true });
      });

      it('do not get back without a check what they were before they were changed meanwhile', async () => {
        const { body } = await add();
        await manage('PUT', version, { input_schema: shorter });
        const service = showcase.service.get(EXAMPLES);
        service.find = async (...ids) => {
          delete (service as Partial<Examples>).find;
          const row = await service.find(...ids);
          await manage('PUT', `${examples}/${body.id}`, { input_data: { text: 'hi' } });
          return row;
        };
        const [, , algorithm_id, , id] = version.split('/');
        const refused = await service
          .update({ id: id!, algorithm_id: algorithm_id! }, body.id, HELLO, { kind: 'plugin' })
          .catch(String);
        expect(refused).to.contain('The version does not accept this example');
        expect((await list())[0]).to.deep.include({ input_data: { text: 'hi' }, fits: true });
      });

      it('are named in the answer when they no longer fit, and say so from then on', async () => {
        const { body: unfit } = await add();
        const { body: fit } = await add({ name: 'Hi', input_data: { text: 'hi' } });
        const { status, body } = await manage('PUT', version, { input_schema: shorter });
        expect(status).to.equal(200);
        expect(body.unfit_examples).to.have.lengthOf(1);
        expect(body.unfit_examples[0]).to.include({ id: unfit.id, name: 'Hello' });
        expect(body.unfit_examples[0].message).to.match(/^\/input_data\/text /);
        expect(await list()).to.deep.equal([{ ...unfit, fits: false }, fit]);
      });

      it('are named when a parameter went that they name', async () => {
        const { body } = await add({ params: { top: 1 } });
        const answer = await manage('PUT', version, { params: { other: { type: 'string' } } });
        expect(answer.body.unfit_examples.map(({ id }: { id: string }) => id)).to.deep.equal([body.id]);
      });

      it('fit again when the version takes them again', async () => {
        const { body: before } = await add();
        await manage('PUT', version, { input_schema: shorter });
        const { body } = await manage('PUT', version, { input_schema: TEXT.input_schema });
        expect(body).to.not.have.property('unfit_examples');
        expect(await list()).to.deep.equal([before]);
      });

      it('fit again when they are changed so that they do', async () => {
        const { body: before } = await add();
        await manage('PUT', version, { input_schema: shorter });
        expect((await manage('PUT', `${examples}/${before.id}`, { name: 'Same' })).body.fits).to.equal(false);
        const { body } = await manage('PUT', `${examples}/${before.id}`, { input_data: { text: 'hi' } });
        expect(body.fits).to.equal(true);
      });
    });
  });
});
