import { expect } from 'chai';
import Type, { type TSchema } from 'typebox';
import { builtInPlugins } from '../../../core/testing.ts';
import { StartupError } from '../../../core/errors/startup-error.ts';
import { mountRoutes } from '../../../core/http/routing/mount.ts';
import type { MountedRoute } from '../../../core/http/routing/mounted-route.ts';
import { routesWith, type Route } from '../../../core/http/routing/route.ts';
import { serverBounds } from '../../../core/http/server-bounds.ts';
import { jsonObject } from '../../../core/http/validation/schemas.ts';
import { serverSettings } from './support.ts';

const route = routesWith({});

function declared(plugin: string, changes: Partial<Route>): MountedRoute {
  const plain = route({
    method: 'GET',
    path: '/things',
    operationId: `${plugin}Operation`,
    summary: 'Something',
    access: 'public',
    answers: jsonObject(),
    handle: () => ({}),
  });
  return { plugin, route: { ...plain, ...changes }, deps: {} };
}

function findingsOf(...routes: MountedRoute[]): readonly string[] {
  try {
    const settings = serverSettings();
    mountRoutes(routes, { ...settings, ...serverBounds(settings) });
    return [];
  } catch (error) {
    expect(error).to.be.instanceOf(StartupError);
    return (error as StartupError).findings.map(({ message }) => message);
  }
}

describe('mounting routes', () => {
  it('accepts routes that fit together', () => {
    expect(findingsOf(declared('a', {}), declared('b', { method: 'POST' }))).to.deep.equal([]);
  });

  it('refuses two owners of one method and path, and names both', () => {
    const [finding] = findingsOf(declared('a', {}), declared('b', {}));
    expect(finding).to.contain('GET /api/v1/things of plugin "b"').and.to.contain('plugin "a"');
  });

  it('blames the plugin from outside, whichever comes first', () => {
    const ours = { ...declared('z', {}), isBuiltIn: true };
    for (const routes of [
      [ours, declared('a', {})],
      [declared('a', {}), ours],
    ]) {
      const [finding] = findingsOf(...routes);
      expect(finding).to.match(/of plugin "a" is served by plugin "z" already/);
    }
  });

  it('tells a plugin that declares a route twice to take one of them out', () => {
    const [finding] = findingsOf(declared('a', {}), declared('a', { operationId: 'other' }));
    expect(finding).to.equal(
      'GET /api/v1/things of plugin "a" is declared twice. Take one of the two routes out.',
    );
  });

  it('treats paths that differ only in parameter names as the same', () => {
    const [finding] = findingsOf(declared('a', { path: '/x/{a}' }), declared('b', { path: '/x/{b}' }));
    expect(finding).to.contain('served by plugin "a" already');
  });

  it('treats the same path at the root and below the base as different', () => {
    expect(findingsOf(declared('a', {}), declared('b', { atRoot: true }))).to.deep.equal([]);
  });

  it('refuses a probe that requires credentials', () => {
    const [finding] = findingsOf(declared('a', { probe: true, access: 'user' }));
    expect(finding).to.contain('is a probe').and.to.contain('anonymous');
  });

  it('refuses an operation id that is taken', () => {
    const [finding] = findingsOf(
      declared('a', { operationId: 'same' }),
      declared('b', { operationId: 'same', path: '/others' }),
    );
    expect(finding).to.contain('"same"').and.to.contain('plugin "a"').and.to.contain('plugin "b"');
  });

  const unbounded: readonly (readonly [string, TSchema])[] = [
    ['no maximum', Type.Integer({ minimum: 0 })],
    ['no minimum', Type.Optional(Type.Number({ maximum: 9 }))],
    ['no bounds in one of its forms', Type.Union([Type.Literal('all'), Type.Integer()])],
    ['no bounds where it is given more than once', Type.Array(Type.Integer())],
  ];
  for (const [what, schema] of unbounded) {
    it(`refuses a number in a query that has ${what}`, () => {
      const findings = findingsOf(declared('a', { query: Type.Object({ page: schema }) }));
      expect(findings).to.deep.equal([
        'GET /api/v1/things of plugin "a" takes any number as "page" of its query. Give it a minimum and a maximum.',
      ]);
    });
  }

  it('accepts numbers in a query that have both bounds, or are named one by one', () => {
    const query = Type.Object({ page: Type.Integer({ minimum: 1, maximum: 9 }), size: Type.Enum([10, 20]) });
    expect(findingsOf(declared('a', { query }))).to.deep.equal([]);
  });

  const broken: readonly (readonly [string, TSchema])[] = [
    ['a limit that is no number', Type.Object({ a: Type.String({ minLength: 'x' } as never) })],
    ['an unknown type', Type.Unsafe({ type: 'strin' })],
    ['an unknown keyword', Type.Object({}, { minimun: 1 } as never)],
    ['an unknown format', Type.Object({ a: Type.String({ format: 'no-such-format' }) })],
    ['a pattern that does not compile', Type.Object({ a: Type.String({ pattern: '(' }) })],
  ];
  for (const [what, schema] of broken) {
    it(`refuses a body with ${what}`, () => {
      const [finding] = findingsOf(declared('a', { method: 'POST', body: schema }));
      expect(finding).to.contain('POST /api/v1/things of plugin "a" has a schema that cannot be used');
    });
  }

  for (const part of ['query', 'body', 'answers'] as const) {
    it(`refuses fields that no schema holds together as its ${part}, and says how to make one`, () => {
      const [finding] = findingsOf(declared('a', { [part]: { text: Type.String() } as never }));
      expect(finding).to.equal(
        `GET /api/v1/things of plugin "a" has a schema that cannot be used, that of its ${part}: ` +
          'strict mode: unknown keyword: "text". Make it with Type, as in Type.Object({ … }).',
      );
    });
  }

  it('refuses an ambiguous union in an answer', () => {
    const answers = Type.Union([Type.Object({ a: Type.String() }), Type.Unsafe({ type: 'strin' })]);
    expect(findingsOf(declared('a', { answers }))).to.have.length(1);
  });

  it('lists everything that is wrong at once', () => {
    const findings = findingsOf(
      declared('a', { probe: true, access: 'user' }),
      declared('b', { query: Type.Unsafe({ type: 'strin' }) }),
    );
    expect(findings).to.have.length(3);
  });

  it('compiles the schemas of proven routes on their first use', () => {
    const broken = declared('a', { query: Type.Unsafe({ type: 'strin' }) });
    expect(findingsOf(broken)).to.have.length(1);
    expect(findingsOf({ ...broken, isBuiltIn: true })).to.deep.equal([]);
  });

  it('finds nothing wrong with any route of the built-in plugins, which start without being compiled', async () => {
    const plugins = await builtInPlugins();
    const routes = plugins.flatMap(({ id, routes: own = [] }) =>
      own.map((each) => ({ plugin: id, route: each, deps: {} })),
    );
    expect(routes.length).to.be.greaterThan(60);
    expect(findingsOf(...routes)).to.deep.equal([]);
  });
});
