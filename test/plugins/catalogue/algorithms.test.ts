import { expect } from 'chai';
import { isId } from '../../../core/index.ts';
import { onEveryEngine } from '../../../core/testing.ts';
import { NEW_ALGORITHM, openShowcase, type Showcase } from './support/showcase.ts';

const UNKNOWN = '01890000-0000-7000-8000-000000000000';
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

describe('Algorithms', () => {
  onEveryEngine((engine) => {
    let showcase: Showcase;
    const create = (body: unknown) => showcase.as(showcase.admin, 'POST', '/algorithms', body);
    const change = (id: string, body: unknown) =>
      showcase.as(showcase.admin, 'PUT', `/algorithms/${id}`, body);
    const read = async (id: string) => (await showcase.as(undefined, 'GET', `/algorithms/${id}`)).body;

    before(async () => {
      showcase = await openShowcase(engine);
    });
    after(() => showcase.service.stop());

    describe('creating one', () => {
      it('answers it with every field', async () => {
        const { status, body } = await create({ ...NEW_ALGORITHM, status: 'inactive', access: 'restricted' });
        const { id, created_at, updated_at, ...rest } = body;
        expect(status).to.equal(200);
        expect(isId(id)).to.equal(true);
        expect(created_at).to.match(TIME);
        expect(updated_at).to.equal(created_at);
        expect(rest).to.deep.equal({
          ...NEW_ALGORITHM,
          status: 'inactive',
          access: 'restricted',
          tags: [],
          readme: '',
          versions: [],
        });
      });

      it('makes it active and open when nothing else is said', async () => {
        expect((await create(NEW_ALGORITHM)).body).to.include({ status: 'active', access: 'open' });
      });

      it('lets two have the same name', async () => {
        await create(NEW_ALGORITHM);
        expect((await create(NEW_ALGORITHM)).status).to.equal(200);
      });

      it('keeps every character', async () => {
        const texts = { name: 'Kanten 🖼 "<b>" \\', description: '\u2028 \u200b', type: "o'clock; --" };
        const { body } = await create(texts);
        expect(await read(body.id)).to.include(texts);
      });

      it('ignores what only the service may set, and what it does not know', async () => {
        const { body } = await create({
          ...NEW_ALGORITHM,
          id: UNKNOWN,
          created_at: '2000-01-01T00:00:00.000Z',
          updated_at: '2000-01-01T00:00:00.000Z',
          default_version_id: UNKNOWN,
          search_text: 'x',
          versions: [{ version: '1', url: 'https://example.org' }],
          surprise: true,
        });
        expect(body.id).to.not.equal(UNKNOWN);
        expect(body.created_at > '2020').to.equal(true);
        expect(body.versions).to.deep.equal([]);
        expect(body).to.not.have.any.keys('surprise', 'search_text', 'default_version_id');
      });

      const refused: [string, object][] = [
        ['/body/name', { name: undefined }],
        ['/body/name', { name: '' }],
        ['/body/name', { name: ' \t ' }],
        ['/body/name', { name: 'Edge\nDetection' }],
        ['/body/name', { name: 'Edge\u200bs' }],
        ['/body/type', { type: 'nlp\u202e' }],
        ['/body/name', { name: null }],
        ['/body/name', { name: 'x'.repeat(201) }],
        ['/body/name', { name: 7 }],
        ['/body/description', { description: undefined }],
        ['/body/description', { description: 'x'.repeat(10_001) }],
        ['/body/type', { type: '' }],
        ['/body/type', { type: ['nlp'] }],
        ['/body/status', { status: 'deleted' }],
        ['/body/access', { access: 'public' }],
        ['/body/tags', { tags: 'nlp' }],
        ['/body/tags', { tags: Array.from({ length: 21 }, (_, n) => `tag ${n}`) }],
        ['/body/tags/0', { tags: [' '] }],
        ['/body/tags/1', { tags: ['a', 'x'.repeat(51)] }],
        ['/body/tags/0', { tags: ['two\nlines'] }],
        ['/body/readme', { readme: 'x'.repeat(65_537) }],
        ['/body/readme', { readme: 'é'.repeat(32_769) }],
        ['/body/readme', { readme: 7 }],
      ];
      for (const [pointer, wrong] of refused) {
        it(`is refused for ${JSON.stringify(wrong).slice(0, 40)} at ${pointer}`, async () => {
          const { status, body } = await create({ ...NEW_ALGORITHM, ...wrong });
          expect([status, body.errors[0].pointer]).to.deep.equal([422, pointer]);
        });
      }
    });

    describe('reading one', () => {
      it('shows it with its versions, newest first', async () => {
        const id = await showcase.algorithm();
        const versions = [await showcase.version(id), await showcase.version(id)];
        expect((await read(id)).versions).to.deep.equal(versions.toReversed());
      });

      for (const id of [UNKNOWN, 'nonsense', '%00', "' OR 1=1"]) {
        it(`does not know "${id}"`, async () => {
          const { status, body } = await showcase.as(
            undefined,
            'GET',
            `/algorithms/${encodeURIComponent(id)}`,
          );
          expect([status, body.code]).to.deep.equal([404, 'algorithm_not_found']);
        });
      }
    });

    describe('changing one', () => {
      it('keeps what is not named, and moves updated_at', async () => {
        const id = await showcase.algorithm({ status: 'deprecated', access: 'restricted' });
        const before = await read(id);
        await new Promise((go) => setTimeout(go, 5));
        const { status, body } = await change(id, { description: 'Finds more edges' });
        const { updated_at, ...rest } = body;
        expect(status).to.equal(200);
        expect({ ...rest, updated_at: before.updated_at }).to.deep.equal({
          ...before,
          description: 'Finds more edges',
        });
        expect(updated_at > before.updated_at).to.equal(true);
      });

      for (const [field, value] of [
        ['name', 'Corners'],
        ['type', 'nlp'],
        ['status', 'inactive'],
        ['access', 'restricted'],
        ['readme', '# Edges\n\n<script>alert(1)</script>\n'],
      ] as const) {
        it(`takes a new ${field}, and shows it from then on`, async () => {
          const id = await showcase.algorithm();
          await read(id);
          await change(id, { [field]: value });
          expect((await read(id))[field]).to.equal(value);
        });
      }

      it('takes back what was read, and changes nothing by that', async () => {
        const id = await showcase.algorithm();
        await showcase.version(id);
        const before = await read(id);
        expect(await change(id, before)).to.deep.include({ status: 200, body: before });
      });

      it('takes null for what is not given', async () => {
        const id = await showcase.algorithm();
        const before = await read(id);
        const nulls = {
          name: null,
          description: null,
          type: null,
          status: null,
          access: null,
          tags: null,
          readme: null,
        };
        expect((await change(id, nulls)).body).to.deep.equal(before);
      });

      for (const fixed of [{ id: UNKNOWN }, { created_at: '2000-01-01T00:00:00.000Z' }]) {
        const [field] = Object.keys(fixed);
        it(`refuses another ${field}, and changes nothing then`, async () => {
          const id = await showcase.algorithm();
          const before = await read(id);
          const { status, body } = await change(id, { name: 'New', ...fixed });
          expect([status, body.errors[0].pointer]).to.deep.equal([422, `/body/${field}`]);
          expect(await read(id)).to.deep.equal(before);
        });
      }

      it('ignores what changes by itself, so that a form may be sent that was read before the last change', async () => {
        const id = await showcase.algorithm();
        const form = await read(id);
        await showcase.version(id);
        await change(id, { name: 'First' });
        const { status, body } = await change(id, { ...form, name: 'Second' });
        expect([status, body.name, body.versions.length]).to.deep.equal([200, 'Second', 1]);
      });

      it('takes tags instead of those before, in their order, the first of equal ones', async () => {
        const id = await showcase.algorithm({ tags: ['old'] });
        const tags = [' Text ', 'ｔｅｘｔ', 'Zürich', 'TEXT', 'Zu\u0308rich', 'edges'];
        expect((await change(id, { tags })).body.tags).to.deep.equal(['Text', 'Zürich', 'edges']);
        expect((await read(id)).tags).to.deep.equal(['Text', 'Zürich', 'edges']);
      });

      it('takes an empty list of tags and an empty readme', async () => {
        const id = await showcase.algorithm({ tags: ['old'], readme: 'old' });
        const { body } = await change(id, { tags: [], readme: '' });
        expect(body).to.deep.include({ tags: [], readme: '' });
      });

      it('keeps a readme of 64 KiB, whatever its script', async () => {
        const readme = 'é'.repeat(32_768);
        const id = await showcase.algorithm({ readme });
        expect((await read(id)).readme).to.equal(readme);
      });

      it('names it without white space around', async () => {
        const id = await showcase.algorithm();
        expect((await change(id, { name: '\u3000Corners ', type: ' nlp ' })).body).to.include({
          name: 'Corners',
          type: 'nlp',
        });
      });

      it('changes nothing when one value of several is wrong', async () => {
        const id = await showcase.algorithm();
        const before = await read(id);
        expect((await change(id, { name: 'New', status: 'gone' })).status).to.equal(422);
        expect(await read(id)).to.deep.equal(before);
      });

      it('does not know one that does not exist', async () => {
        expect((await change(UNKNOWN, { name: 'New' })).body.code).to.equal('algorithm_not_found');
      });
    });

    describe('deleting one', () => {
      it('deletes its versions too', async () => {
        const id = await showcase.algorithm();
        const version = await showcase.version(id);
        const { status, body } = await showcase.as(showcase.admin, 'DELETE', `/algorithms/${id}`);
        expect([status, body]).to.deep.equal([
          200,
          { message: 'The algorithm and its versions were deleted.' },
        ]);
        const gone = [
          `/algorithms/${id}`,
          `/algorithms/${id}/versions`,
          `/algorithms/${id}/versions/${version.id}`,
        ];
        const statuses = await Promise.all(
          gone.map(async (path) => (await showcase.as(undefined, 'GET', path)).status),
        );
        expect(statuses).to.deep.equal([404, 404, 404]);
      });

      it('works once', async () => {
        const id = await showcase.algorithm();
        const answers = await Promise.all(
          [1, 2, 3].map(() => showcase.as(showcase.admin, 'DELETE', `/algorithms/${id}`)),
        );
        expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).to.deep.equal([200, 404, 404]);
      });
    });
  });
});
