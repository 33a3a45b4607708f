import { expect } from 'chai';
import { DATABASE, type Database, type SqlValue } from '../../../core/index.ts';
import { onEveryEngine } from '../../../core/testing.ts';
import { CatalogueReader } from '../../../plugins/catalogue/reader.ts';
import { openShowcase, type Showcase } from './support/showcase.ts';

interface Version {
  readonly id: string;
  readonly is_default: boolean;
}

/** A reader of the catalogue that waits for some work after each read of a single row. */
function readerWith(database: Database, work: () => Promise<unknown>): CatalogueReader {
  const read: Database['read'] = (sql) => {
    const prepared = database.read(sql);
    const first = async (...values: SqlValue[]) => {
      const row = await prepared.first(...values);
      await work();
      return row;
    };
    return { all: (...values: SqlValue[]) => prepared.all(...values), first } as never;
  };
  return new CatalogueReader(Object.create(database, { read: { value: read } }) as Database);
}

describe('The default version', () => {
  onEveryEngine((engine) => {
    let showcase: Showcase;
    let algorithmId: string;
    const path = (id: string) => `/algorithms/${algorithmId}/versions/${id}`;
    const set = (id: string, isDefault: boolean) =>
      showcase.as(showcase.admin, 'PUT', path(id), { is_default: isDefault });
    const remove = (id: string) => showcase.as(showcase.admin, 'DELETE', path(id));
    const defaults = async (): Promise<string[]> => {
      const { body } = await showcase.as(undefined, 'GET', `/algorithms/${algorithmId}/versions`);
      return body.filter((version: Version) => version.is_default).map((version: Version) => version.id);
    };

    before(async () => {
      showcase = await openShowcase(engine);
    });
    after(() => showcase.service.stop());
    beforeEach(async () => {
      algorithmId = await showcase.algorithm();
    });

    it('is one of the versions that are read, also when it is deleted while they are read', async () => {
      const first = await showcase.version(algorithmId);
      const second = await showcase.version(algorithmId);
      const database = showcase.service.get(DATABASE);
      const { versions } = await readerWith(database, () => remove(first.id)).algorithmAndVersions(
        algorithmId,
      );
      expect(versions.map(({ id, is_default }) => [id, is_default])).to.deep.equal([[second.id, true]]);
    });

    it('is found to be called, also when it is deleted while it is read', async () => {
      const first = await showcase.version(algorithmId);
      await showcase.version(algorithmId);
      const reader = readerWith(showcase.service.get(DATABASE), () => remove(first.id));
      expect((await reader.defaultVersion(algorithmId)).version.id).to.equal(first.id);
    });

    it('is the first one, even when it says no', async () => {
      const first = await showcase.version(algorithmId, { is_default: false });
      await showcase.version(algorithmId);
      expect(first.is_default).to.equal(true);
      expect(await defaults()).to.deep.equal([first.id]);
    });

    it('is a later one that says so when it is created', async () => {
      await showcase.version(algorithmId);
      const second = await showcase.version(algorithmId, { is_default: true });
      expect(await defaults()).to.deep.equal([second.id]);
    });

    it('is another one once that is set', async () => {
      await showcase.version(algorithmId);
      const second = await showcase.version(algorithmId);
      expect((await set(second.id, true)).body.is_default).to.equal(true);
      expect(await defaults()).to.deep.equal([second.id]);
    });

    it('stays the default while it is the only version, whatever it is told', async () => {
      const first = await showcase.version(algorithmId);
      const { status, body } = await set(first.id, false);
      expect([status, body.is_default]).to.deep.equal([200, true]);
      expect(await defaults()).to.deep.equal([first.id]);
    });

    it('gives way to the newest other version when it is told not to be the default', async () => {
      const first = await showcase.version(algorithmId);
      await showcase.version(algorithmId);
      const third = await showcase.version(algorithmId);
      const { status, body } = await set(first.id, false);
      expect([status, body.is_default]).to.deep.equal([200, false]);
      expect(await defaults()).to.deep.equal([third.id]);
    });

    it('gives way to the newest other version also when it is the newest itself', async () => {
      await showcase.version(algorithmId);
      const second = await showcase.version(algorithmId);
      const third = await showcase.version(algorithmId, { is_default: true });
      await set(third.id, false);
      expect(await defaults()).to.deep.equal([second.id]);
    });

    for (const isDefault of [true, false]) {
      it(`takes its whole form back with is_default: ${isDefault}`, async () => {
        const { id } = await showcase.version(algorithmId);
        const { body: form } = await showcase.as(undefined, 'GET', path(id));
        const answer = await showcase.as(showcase.admin, 'PUT', path(id), { ...form, is_default: isDefault });
        expect([answer.status, answer.body]).to.deep.equal([200, form]);
      });
    }

    it('stays when another one is told not to be', async () => {
      const first = await showcase.version(algorithmId);
      const second = await showcase.version(algorithmId);
      expect((await set(second.id, false)).status).to.equal(200);
      expect(await defaults()).to.deep.equal([first.id]);
    });

    it('is the newest that remains when it is deleted', async () => {
      const [first, second, third] = [
        await showcase.version(algorithmId),
        await showcase.version(algorithmId),
        await showcase.version(algorithmId),
      ];
      await remove(first.id);
      expect(await defaults()).to.deep.equal([third.id]);
      await remove(second.id);
      expect(await defaults()).to.deep.equal([third.id]);
    });

    it('is the next first one when all were deleted', async () => {
      await remove((await showcase.version(algorithmId)).id);
      const next = await showcase.version(algorithmId);
      expect(await defaults()).to.deep.equal([next.id]);
    });

    it('is exactly one when many are made default at once', async () => {
      const versions: Version[] = [];
      for (let n = 0; n < 6; n += 1) versions.push(await showcase.version(algorithmId));
      for (let round = 0; round < 5; round += 1) {
        const answers = await Promise.all(versions.map(({ id }) => set(id, true)));
        expect(answers.map(({ status }) => status)).to.deep.equal([200, 200, 200, 200, 200, 200]);
        expect(await defaults()).to.have.length(1);
      }
    });

    it('is exactly one when many are created at once', async () => {
      await Promise.all(
        Array.from({ length: 8 }, (_, n) => showcase.version(algorithmId, { is_default: n % 2 === 0 })),
      );
      expect(await defaults()).to.have.length(1);
    });

    it('is never one that is deleted at the same moment', async () => {
      await showcase.version(algorithmId);
      for (let round = 0; round < 25; round += 1) {
        const { id } = await showcase.version(algorithmId);
        await Promise.all([remove(id), set(id, true)]);
        expect(await defaults()).to.have.length(1);
      }
    });

    it('is exactly one when versions are made default and deleted at once', async () => {
      const versions: Version[] = [];
      for (let n = 0; n < 8; n += 1) versions.push(await showcase.version(algorithmId));
      await Promise.all(versions.map(({ id }, n) => (n % 2 === 0 ? remove(id) : set(id, true))));
      const left = await defaults();
      expect(left).to.have.length(1);
      expect(versions.filter((_, n) => n % 2 === 1).map(({ id }) => id)).to.include(left[0]);
    });
  });
});
