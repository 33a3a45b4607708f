import { join } from 'node:path';
import { expect } from 'chai';
import { tsImport } from 'tsx/esm/api';
import * as first from '../../../core/index.ts';
import { ConstraintViolation } from '../../../core/persistence/violations.ts';
import { packageRoot } from '../../../core/support/package-root.ts';
import { startTestKernel, type TestKernel } from '../../../core/testing.ts';

type Core = typeof first;

/** A plugin that is written against one copy of the kernel's exports. */
function pluginOf(core: Core): ReturnType<Core['definePlugin']> {
  const { definePlugin, DATABASE, Model, problem, reply, routesWith, Type, UniqueViolation } = core;
  const NoSuchThing = problem({
    code: 'no_thing',
    status: 404,
    title: 'No thing',
    description: 'It is not there.',
  });
  class ThingRow extends Model {
    static override tableName = 'things_things';
    declare id: string;
  }
  const route = routesWith({ database: DATABASE });
  return definePlugin({
    id: 'things',
    version: '1.0.0',
    api: '^1.0',
    summary: 'Things',
    problems: [NoSuchThing],
    migrations: [
      {
        name: '0001_things',
        up: async (trx) => {
          await trx.schema.createTable('things_things', (table) => void table.text('id').primary());
        },
      },
    ],
    routes: [
      route({
        method: 'POST',
        path: '/things/{id}',
        operationId: 'addThing',
        summary: 'Adds a thing once',
        access: 'public',
        answers: Type.Object({ id: Type.String(), isNew: Type.Boolean() }),
        handle: async ({ path: { id } }, { database }) => {
          try {
            await ThingRow.query(database.knex).insert({ id });
            return reply({ id, isNew: true }, { status: 202 });
          } catch (error) {
            if (error instanceof UniqueViolation) return { id, isNew: false };
            throw error;
          }
        },
      }),
      route({
        method: 'GET',
        path: '/things/{id}',
        operationId: 'getThing',
        summary: 'Shows a thing',
        access: 'public',
        answers: Type.Object({ id: Type.String() }),
        problems: [NoSuchThing],
        handle: async ({ path: { id } }, { database }) =>
          (await ThingRow.query(database.knex).findById(id)) ??
          Promise.reject(NoSuchThing(`No thing has the id "${id}".`)),
      }),
    ],
  });
}

describe('a plugin that was loaded with a second copy of the package', () => {
  let second: Core;
  let kernel: TestKernel;

  before(async function () {
    this.timeout(120_000);
    second = (await tsImport(join(packageRoot, 'core', 'index.ts'), import.meta.url)) as Core;
    kernel = await startTestKernel({ engine: 'sqlite', plugins: [pluginOf(second)] });
  });

  after(() => kernel.stop());

  it('has classes of its own', () => {
    expect(second.Problem).not.to.equal(first.Problem);
    expect(second.Reply).not.to.equal(first.Reply);
  });

  it('answers with its own replies, and knows what the database refused', async () => {
    const added = await kernel.request('POST', '/things/a');
    expect([added.status, added.body]).to.deep.equal([202, { id: 'a', isNew: true }]);
    const again = await kernel.request('POST', '/things/a');
    expect([again.status, again.body]).to.deep.equal([200, { id: 'a', isNew: false }]);
  });

  it('fails with its own problems', async () => {
    const { status, body } = await kernel.request('GET', '/things/b');
    expect([status, body.code]).to.deep.equal([404, 'no_thing']);
  });

  it('distinguishes related classes', () => {
    class Own extends first.Problem {}
    const other = second.NotReady('Not yet.');
    expect(other instanceof first.Problem).to.equal(true);
    expect(other instanceof Own).to.equal(false);
    expect(first.NotReady.is(other)).to.equal(true);
    const violation = new second.UniqueViolation('Taken.', {});
    expect(violation instanceof ConstraintViolation).to.equal(true);
    expect(new ConstraintViolation('Refused.', {}) instanceof second.UniqueViolation).to.equal(false);
  });
});
