import { expect } from 'chai';
import { onEveryEngine, type TestResponse } from '../../core/testing.ts';
import { startUpstream, type Upstream } from '../support/upstream.ts';
import { startVitrine, type Vitrine } from '../support/vitrine.ts';
import { operationsAboutAlgorithms } from './private/operations.ts';
import { ROWS, type Asked, type Row } from './private/rows.ts';
import {
  NAME,
  startPrivateWorld,
  STRANGERS,
  UNKNOWN,
  type Caller,
  type Ids,
  type PrivateWorld,
} from './private/world.ts';

/** What differs between two answers to the same request: headers, and members of bodies. */
const ALWAYS_DIFFERENT = new Set([
  'date',
  'x-request-id',
  'request_id',
  'etag',
  'server-timing',
  'x-call-id',
  'timestamp',
  'remaining',
  'resets_at',
]);

/** An answer without what tells two answers to the same request apart, and without the ids that were asked for. */
function shown({ status, headers, body }: TestResponse, ids: Ids): object {
  const text = JSON.stringify({ status, headers, body }, (name, value: unknown) =>
    ALWAYS_DIFFERENT.has(name) ? undefined : value,
  );
  const known = Object.values(ids).reduce((rest, id) => rest.replaceAll(id, '<id>'), text);
  return JSON.parse(known.replaceAll(/;[rt]=\d+/g, ''));
}

describe('a private algorithm', () => {
  onEveryEngine((engine) => {
    let vitrine: Vitrine;
    let upstream: Upstream;
    let world: PrivateWorld;

    const send = async (operation: string, { path = {}, query = '', body }: Asked, caller: Caller) => {
      const [method, template] = operation.split(' ') as [string, string];
      const target = template.replaceAll(/\{([^}]+)\}/g, (_, name: string) => path[name]!) + query;
      return vitrine.request(method, target, { headers: world.headersOf(caller), body });
    };
    const ask = async ({ operation, ask: asked }: Row, ids: Ids, caller: Caller) =>
      shown(await send(operation, asked?.(ids) ?? {}, caller), ids);

    before(async () => {
      upstream = await startUpstream(({ path }, response) =>
        path === '/broken' ? response.writeHead(500).end() : {},
      );
      const settings = {
        gateway: { rate_limit: 100_000, breaker_failures: 2 },
        llm: { requests_per_minute: 10_000 },
      };
      vitrine = await startVitrine(engine, { settings });
      world = await startPrivateWorld(vitrine, upstream);
    });
    after(async () => {
      await vitrine?.stop();
      await upstream?.stop();
    });

    it('was considered for every operation that takes or answers an algorithm or a version', async () => {
      const { body: document } = await vitrine.request('GET', '/openapi.json');
      const considered = new Set(ROWS.map(({ operation }) => operation));
      expect([...considered]).to.include.members(operationsAboutAlgorithms(document));
    });

    for (const row of ROWS) {
      const { operation } = row;
      const what = row.ask ? ` about ${JSON.stringify(row.ask(UNKNOWN)).replaceAll(UNKNOWN.call, '…')}` : '';
      describe(`${operation}${what}`, () => {
        for (const caller of STRANGERS) {
          it(`tells nothing to ${caller}`, async () => {
            const answer = await ask(row, world.hidden, caller);
            expect(answer).to.deep.equal(await ask(row, UNKNOWN, caller));
            if (row.ask) return;
            const text = JSON.stringify(answer);
            for (const hint of [NAME, '<id>']) expect(text).not.to.include(hint);
          });
        }

        it(row.manager ? 'tells a manager' : 'is for administrators', async () => {
          const ids = row.deletes ? await world.hide() : world.hidden;
          const caller = row.manager ? 'manager' : 'user';
          const answer = await send(operation, row.ask?.(ids) ?? {}, caller);
          if (!row.manager) return expect(answer.status).to.equal(403);
          if (row.ask) expect(shown(answer, ids)).not.to.deep.equal(await ask(row, UNKNOWN, caller));
          else expect(JSON.stringify(shown(answer, ids))).to.include('<id>');
        });
      });
    }

    it('tells nothing by the id of its version beside another algorithm', async () => {
      const { id } = await world.manage('POST', '/algorithms', { name: 'open', description: '', type: 't' });
      const rows = ROWS.filter(({ ask: asked }) => JSON.stringify(asked?.(UNKNOWN))?.includes('version_id'));
      for (const row of rows) {
        const beside = (version: string): Ids => ({ ...UNKNOWN, algorithm: id!, version });
        const [known, unknown] = [beside(world.hidden.version), beside(UNKNOWN.version)];
        const answer = await ask(row, known, 'user');
        expect(answer, row.operation).to.deep.equal(await ask(row, unknown, 'user'));
      }
    });

    describe('that is blocked, or whose endpoint fails', () => {
      const CALL: Row = {
        operation: 'POST /gateway/call',
        ask: ({ algorithm, version }) => ({
          body: { algorithm_id: algorithm, version_id: version, input_data: {} },
        }),
        manager: true,
      };
      const CHECK: Row = {
        operation: 'POST /gateway/check',
        ask: ({ algorithm, version }) => ({ body: { algorithm_id: algorithm, version_id: version } }),
        manager: true,
      };
      const CHECK_VERSION: Row = { ...CHECK, ask: ({ version }) => ({ body: { version_id: version } }) };

      const tellsOnlyManagers = async (row: Row, ids: Ids) => {
        for (const caller of STRANGERS)
          expect(await ask(row, ids, caller)).to.deep.equal(await ask(row, UNKNOWN, caller));
        expect(await ask(row, ids, 'manager')).not.to.deep.equal(await ask(row, UNKNOWN, 'manager'));
      };

      it('tells of its block rule only those who see it', async () => {
        const ids = await world.hide();
        await world.manage('POST', '/gateway/blocks', {
          subject: 'algorithm',
          value: ids.algorithm,
          reason: 'r',
        });
        for (const row of [CALL, CHECK]) await tellsOnlyManagers(row, ids);
      });

      it('tells of its open circuit only those who see it', async () => {
        const ids = await world.hide();
        const path = `/algorithms/${ids.algorithm}/versions/${ids.version}`;
        await world.manage('PUT', path, { url: `${upstream.url}/broken` });
        for (let call = 0; call < 3; call++) await ask(CALL, ids, 'admin');
        for (const row of [CALL, CHECK, CHECK_VERSION]) await tellsOnlyManagers(row, ids);
      });
    });

    describe('and a call of it', () => {
      const call = (ids: Ids, caller: Caller) =>
        send(
          'POST /algorithms/call',
          { body: { algorithm_id: ids.algorithm, version_id: ids.version, input_data: {} } },
          caller,
        );
      const grant = (ids: Ids, permission_type: string) =>
        world.manage('POST', '/permissions/grants', {
          algorithm_id: ids.algorithm,
          user_id: world.user.id,
          permission_type,
        });

      for (const [kind, expected] of [
        ['read', 403],
        ['execute', 200],
        ['manage', 200],
      ] as const) {
        it(`is answered with ${expected} to an account with the grant ${kind}`, async () => {
          const ids = await world.hide();
          await grant(ids, kind);
          expect((await call(ids, 'user')).status).to.equal(expected);
        });
      }

      it('stays visible to its caller, for whom the algorithm is gone', async () => {
        const ids = await world.hide();
        await world.manage('PUT', `/algorithms/${ids.algorithm}`, { access: 'open' });
        const { body: record } = await call(ids, 'user');
        await world.manage('PUT', `/algorithms/${ids.algorithm}`, { access: 'private' });
        const read = await send('GET /algorithms/calls/{call_id}', { path: { call_id: record.id } }, 'user');
        const history = await send(
          'GET /history/user-calls',
          { query: `?algorithm_id=${ids.algorithm}` },
          'user',
        );
        const again = await call(ids, 'user');
        expect([read.body.id, history.body.total, again.status]).to.deep.equal([record.id, 1, 404]);
      });
    });
  });
});
