import { expect } from 'chai';
import { coreRoutes } from '../../core/http/core-routes.ts';
import { HEALTH, METRICS } from '../../core/index.ts';
import type { Route } from '../../core/http/routing/route.ts';
import { builtInPlugins, onEveryEngine } from '../../core/testing.ts';
import { operationsOf } from '../support/malformed-requests.ts';
import { startUpstream, type Upstream } from '../support/upstream.ts';
import { startVitrine, type Vitrine } from '../support/vitrine.ts';
import { ADDED_ROWS } from './access/added-rows.ts';
import { INTERFACE_ROWS } from './access/interface-rows.ts';
import { expected } from './access/row.ts';
import { CALLERS, populate, type Caller, type World } from './access/world.ts';

describe('who may do what', () => {
  onEveryEngine((engine) => {
    let world: World;
    let vitrine: Vitrine;
    let upstream: Upstream;

    before(async () => {
      upstream = await startUpstream();
      // Limits have tests of their own; here nobody may run into one.
      const settings = { gateway: { rate_limit: 100_000 } };
      vitrine = await startVitrine(engine, { settings });
      world = await populate(vitrine, upstream);
    });

    after(async () => {
      await vitrine?.stop();
      await upstream?.stop();
    });

    it('is decided for each of the 37 operations of the interface', () => {
      expect(new Set(INTERFACE_ROWS.map(({ operation }) => operation)).size).to.equal(37);
    });

    it('is decided for every operation that is mounted, hidden or not', async () => {
      const parts = { ready: () => true, health: vitrine.get(HEALTH), metrics: vitrine.get(METRICS) };
      const ofPlugins = (await builtInPlugins()).flatMap(({ routes = [] }) => routes);
      const mounted = [...coreRoutes(parts).map(({ route }) => route), ...ofPlugins];
      const decided = [...INTERFACE_ROWS, ...ADDED_ROWS].map(({ operation }) => operation);
      expect([...new Set(decided)]).to.have.members([...new Set(mounted.map(operationOf))]);
    });

    it('is decided for every operation that is described', async () => {
      const { body: document } = await vitrine.request('GET', '/openapi.json');
      const described = operationsOf(document).map(({ method, path }) => `${method} ${path}`);
      const decided = [...INTERFACE_ROWS, ...ADDED_ROWS].map(({ operation }) => operation);
      expect(decided).to.include.members(described);
    });

    for (const { operation, rule, path, query, body } of [...INTERFACE_ROWS, ...ADDED_ROWS]) {
      it(`${operation} is for ${rule}`, async () => {
        const [method, template] = operation.split(' ') as [string, string];
        const check = async (caller: Caller): Promise<void> => {
          const values = (await path?.(world, caller)) ?? {};
          const filled = template.replaceAll(/\{([^}]+)\}/g, (_, name: string) => values[name]!);
          const place = filled.startsWith('//') ? vitrine.rootUrl + filled.slice(1) : filled;
          const target = `${place}${query?.(world) ?? ''}`;
          const answer = await vitrine.request(method, target, {
            headers: world.headersOf(caller),
            ...(body ? { body: body(world, caller) } : {}),
          });
          const wanted = expected(rule, caller);
          const seen = answer.status === 401 || answer.status === 403 ? answer.status : 'through';
          expect(seen, `${caller}: ${answer.status} ${JSON.stringify(answer.body).slice(0, 200)}`).to.equal(
            wanted,
          );
          expect(answer.status, 'no internal error').not.to.equal(500);
          if (answer.status >= 400)
            expect(answer.headers['content-type']).to.include('application/problem+json');
        };
        // Streams last a second each; other requests may change what the next one finds.
        if (method === 'GET') await Promise.all(CALLERS.map(check));
        else for (const caller of CALLERS) await check(caller);
      });
    }
  });
});

/** What a row calls a route: two slashes stand for the root. */
function operationOf({ method, path, atRoot }: Route): string {
  return `${method} ${atRoot ? '/' : ''}${path}`;
}
