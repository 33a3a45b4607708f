import { expect } from 'chai';
import { isId } from '../../../core/index.ts';
import { onEveryEngine } from '../../../core/testing.ts';
import { VERSIONS, Versions, type VersionsDeps } from '../../../plugins/catalogue/versions.ts';
import { made } from '../../support/other-services.ts';
import { NEW_VERSION, openShowcase, type Showcase } from './support/showcase.ts';

const UNKNOWN = '01890000-0000-7000-8000-000000000000';

const FULL = {
  ...NEW_VERSION,
  params: { threshold: { type: 'number', default: 0.5, min: 0, max: 1, label: 'Threshold' } },
  input_schema: { type: 'object', properties: { image: { type: 'string' } }, required: ['image'] },
  output_schema: { type: 'object' },
};

describe('Versions', () => {
  onEveryEngine((engine) => {
    let showcase: Showcase;
    let algorithmId: string;
    const at = (versionId = '') => `/algorithms/${algorithmId}/versions${versionId && `/${versionId}`}`;
    const create = (body: unknown) => showcase.as(showcase.admin, 'POST', at(), body);
    const change = (id: string, body: unknown) => showcase.as(showcase.admin, 'PUT', at(id), body);
    const read = async (id: string) => (await showcase.as(undefined, 'GET', at(id))).body;

    before(async () => {
      showcase = await openShowcase(engine, {
        services: [made(VERSIONS, (deps: VersionsDeps) => new Versions({ ...deps, most: 5 }))],
      });
    });
    after(() => showcase.service.stop());
    beforeEach(async () => {
      algorithmId = await showcase.algorithm();
    });

    describe('creating one', () => {
      it('answers it with every field', async () => {
        const { status, body } = await create(FULL);
        const { id, created_at, updated_at, ...rest } = body;
        expect(status).to.equal(200);
        expect(isId(id)).to.equal(true);
        expect(updated_at).to.equal(created_at);
        expect(rest).to.deep.equal({ ...FULL, algorithm_id: algorithmId, is_default: true });
      });

      for (const nothing of [undefined, null, {}]) {
        it(`shows empty objects where params and schemas are ${JSON.stringify(nothing)}`, async () => {
          const { body } = await create({
            ...NEW_VERSION,
            params: nothing,
            input_schema: nothing,
            output_schema: nothing,
          });
          expect([body.params, body.input_schema, body.output_schema]).to.deep.equal([{}, {}, {}]);
        });
      }

      it('ignores what only the service may set', async () => {
        const { body } = await create({
          ...NEW_VERSION,
          id: UNKNOWN,
          algorithm_id: UNKNOWN,
          created_at: '2000-01-01T00:00:00.000Z',
        });
        expect(body.id).to.not.equal(UNKNOWN);
        expect(body.algorithm_id).to.equal(algorithmId);
        expect(body.created_at > '2020').to.equal(true);
      });

      it('is refused with 409 when the label is taken', async () => {
        await create(NEW_VERSION);
        const { status, body } = await create(NEW_VERSION);
        expect([status, body.code, body.errors[0].pointer]).to.deep.equal([
          409,
          'version_label_taken',
          '/body/version',
        ]);
      });

      for (const [label, other] of [
        ['v1', 'v1 '],
        ['v1', '\u3000v1'],
        ['v1', 'V1'],
        ['v1', 'ｖ１'],
        ['Fußweg', 'FUSSWEG'],
        ['é', 'e\u0301'],
      ] as const) {
        it(`takes the label ${JSON.stringify(other)} for ${JSON.stringify(label)}`, async () => {
          await create({ ...NEW_VERSION, version: label });
          expect((await create({ ...NEW_VERSION, version: other })).body.code).to.equal(
            'version_label_taken',
          );
        });
      }

      it('keeps labels apart that look different', async () => {
        const answers = [];
        for (const version of ['v1', 'v 1', 'v1.0', 'v11'])
          answers.push(await create({ ...NEW_VERSION, version }));
        expect(answers.map(({ status }) => status)).to.deep.equal([200, 200, 200, 200]);
      });

      it('shows the label without white space around', async () => {
        expect((await create({ ...NEW_VERSION, version: ' 1.0\t' })).body.version).to.equal('1.0');
      });

      it('takes null for what a parameter does not say', async () => {
        const params = {
          k: { type: 'integer', min: null, max: null, enum: null, default: null, label: null },
        };
        const { status, body } = await create({ ...NEW_VERSION, params, is_default: null });
        expect([status, body.params]).to.deep.equal([
          200,
          { k: { type: 'integer', default: null, label: null } },
        ]);
      });

      it('lets one of many at once have the label', async () => {
        const answers = await Promise.all(Array.from({ length: 6 }, () => create(NEW_VERSION)));
        const statuses = answers.map(({ status }) => status).toSorted((a, b) => a - b);
        expect(statuses).to.deep.equal([200, 409, 409, 409, 409, 409]);
      });

      it('lets another algorithm have the same label', async () => {
        await create(NEW_VERSION);
        algorithmId = await showcase.algorithm();
        expect((await create(NEW_VERSION)).status).to.equal(200);
      });

      it('is refused with 409 when there are as many as the setting allows', async () => {
        const answers = [];
        for (let n = 0; n < 6; n += 1) answers.push(await create({ ...NEW_VERSION, version: `${n}` }));
        expect(answers.map(({ status }) => status)).to.deep.equal([200, 200, 200, 200, 200, 409]);
        expect(answers.at(-1)!.body.code).to.equal('too_many_versions');
      });

      it('does not know an algorithm that does not exist, whatever the body says', async () => {
        const answer = await showcase.as(showcase.admin, 'POST', `/algorithms/${UNKNOWN}/versions`, {
          ...NEW_VERSION,
          url: 'ftp://nowhere',
        });
        expect([answer.status, answer.body.code]).to.deep.equal([404, 'algorithm_not_found']);
      });

      const refused: [string, object][] = [
        ['/body/version', { version: undefined }],
        ['/body/version', { version: '  ' }],
        ['/body/version', { version: 'v1\u200d' }],
        ['/body/version', { version: '\u2800' }],
        ['/body/version', { version: null }],
        ['/body/params/k/min', { params: { k: { min: '0' } } }],
        ['/body/version', { version: 'x'.repeat(101) }],
        ['/body/url', { url: undefined }],
        ['/body/url', { url: '' }],
        ['/body/url', { url: `https://example.org/${'x'.repeat(2_048)}` }],
        ['/body/params', { params: 'none' }],
        ['/body/params', { params: [] }],
        ['/body/input_schema', { input_schema: true }],
        ['/body/output_schema', { output_schema: '{}' }],
        ['/body/is_default', { is_default: 'yes' }],
      ];
      for (const [pointer, wrong] of refused) {
        it(`is refused for ${JSON.stringify(wrong).slice(0, 40)}`, async () => {
          const { status, body } = await create({ ...NEW_VERSION, ...wrong });
          expect([status, body.errors[0].pointer]).to.deep.equal([422, pointer]);
        });
      }
    });

    describe('reading', () => {
      it('lists the versions of an algorithm as an array, newest first', async () => {
        const versions = [await showcase.version(algorithmId), await showcase.version(algorithmId)];
        const { status, body } = await showcase.as(undefined, 'GET', at());
        expect(status).to.equal(200);
        expect(body).to.deep.equal(versions.toReversed());
      });

      it('lists nothing for an algorithm without versions', async () => {
        expect((await showcase.as(undefined, 'GET', at())).body).to.deep.equal([]);
      });

      it('shows one version', async () => {
        const { body } = await create(FULL);
        expect(await read(body.id)).to.deep.equal(body);
      });

      it('does not show a version under the path of another algorithm', async () => {
        const version = await showcase.version(algorithmId);
        const other = await showcase.algorithm();
        const { status, body } = await showcase.as(
          undefined,
          'GET',
          `/algorithms/${other}/versions/${version.id}`,
        );
        expect([status, body.code]).to.deep.equal([404, 'version_not_found']);
      });

      it('tells an unknown version from an unknown algorithm', async () => {
        const unknownVersion = await showcase.as(undefined, 'GET', at(UNKNOWN));
        const unknownAlgorithm = await showcase.as(
          undefined,
          'GET',
          `/algorithms/nonsense/versions/nonsense`,
        );
        expect(unknownVersion.body.code).to.equal('version_not_found');
        expect(unknownAlgorithm.body.code).to.equal('algorithm_not_found');
      });

      it('does not take a word of a path for an id, after its list was read', async () => {
        const { body } = await create(NEW_VERSION);
        await read('');
        await read(`${body.id}/examples`);
        expect(await read('versions')).to.include({ code: 'version_not_found' });
        expect(await read(`${body.id}%20examples`)).to.include({ code: 'version_not_found' });
        expect(await read(`${body.id}/examples/examples`)).to.include({ code: 'example_not_found' });
      });
    });

    describe('changing one', () => {
      it('keeps what is not named, and moves updated_at', async () => {
        const { body: before } = await create(FULL);
        await new Promise((go) => setTimeout(go, 5));
        const { body } = await change(before.id, { url: 'https://models.example.org/two' });
        expect({ ...body, updated_at: 0 }).to.deep.equal({
          ...before,
          url: 'https://models.example.org/two',
          updated_at: 0,
        });
        expect(body.updated_at > before.updated_at).to.equal(true);
      });

      it('takes every field, and shows it from then on', async () => {
        const { id } = await showcase.version(algorithmId);
        await read(id);
        await change(id, { ...FULL, version: 'changed' });
        expect(await read(id)).to.deep.include({ ...FULL, version: 'changed' });
      });

      it('takes params and schemas away with null', async () => {
        const { body } = await create(FULL);
        await change(body.id, { params: null, input_schema: null });
        const after = await read(body.id);
        expect([after.params, after.input_schema]).to.deep.equal([{}, {}]);
        expect(after.output_schema).to.deep.equal(FULL.output_schema);
      });

      it('takes back what was read, and changes nothing by that', async () => {
        const { body: before } = await create(FULL);
        const { body } = await change(before.id, before);
        expect(body).to.deep.equal(before);
      });

      it('may keep its label in another case, and take another one that only it has', async () => {
        const { body } = await create({ ...NEW_VERSION, version: 'beta' });
        const answers = [
          await change(body.id, { version: 'BETA' }),
          await change(body.id, { version: 'rc' }),
        ];
        expect(answers.map((answer) => answer.body.version)).to.deep.equal(['BETA', 'rc']);
      });

      it('may keep its label, but not take that of another', async () => {
        const { body: one } = await create(NEW_VERSION);
        const two = await showcase.version(algorithmId);
        expect((await change(one.id, { version: one.version })).status).to.equal(200);
        expect((await change(two.id, { version: one.version })).body.code).to.equal('version_label_taken');
      });

      it('cannot move it to another algorithm', async () => {
        const before = await showcase.version(algorithmId);
        const moved = {
          url: 'https://models.example.org/two',
          algorithm_id: await showcase.algorithm(),
          id: UNKNOWN,
        };
        const { status, body } = await change(before.id, moved);
        const pointers = body.errors.map(({ pointer }: { pointer: string }) => pointer);
        expect([status, pointers]).to.deep.equal([422, ['/body/algorithm_id', '/body/id']]);
        expect(await read(before.id)).to.deep.equal(before);
      });

      it('changes nothing when one value of several is wrong', async () => {
        const before = await showcase.version(algorithmId);
        const { status } = await change(before.id, { version: 'new', input_schema: { type: 'float' } });
        expect(status).to.equal(422);
        expect(await read(before.id)).to.deep.equal(before);
      });

      it('does not reach a version through another algorithm', async () => {
        const version = await showcase.version(algorithmId);
        const other = await showcase.algorithm();
        const path = `/algorithms/${other}/versions/${version.id}`;
        expect((await showcase.as(showcase.admin, 'PUT', path, { version: 'x' })).status).to.equal(404);
        expect((await showcase.as(showcase.admin, 'DELETE', path)).status).to.equal(404);
        expect(await read(version.id)).to.deep.equal(version);
      });
    });

    describe('deleting one', () => {
      it('says so, and works once', async () => {
        const { id } = await showcase.version(algorithmId);
        const first = await showcase.as(showcase.admin, 'DELETE', at(id));
        const second = await showcase.as(showcase.admin, 'DELETE', at(id));
        expect([first.status, first.body]).to.deep.equal([200, { message: 'The version was deleted.' }]);
        expect([second.status, second.body.code]).to.deep.equal([404, 'version_not_found']);
      });
    });
  });
});
