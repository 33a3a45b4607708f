import { expect } from 'chai';
import { aliasFaults, aliasRoutes } from '../../../core/http/routing/path-aliases.ts';
import { routesWith } from '../../../core/http/routing/route.ts';
import { jsonObject } from '../../../core/http/validation/schemas.ts';

describe('further names of paths', () => {
  const route = routesWith({});
  const routes = ['/repositories', '/repositories/{id}', '/repositories-of-others', '/others'].map(
    (path) => ({
      plugin: 'demo',
      deps: {},
      route: route({
        method: 'GET',
        path,
        operationId: path,
        summary: 'Something',
        access: 'public',
        answers: jsonObject(),
        handle: () => ({}),
      }),
    }),
  );

  it('serve the path itself and all below it, and nothing else', () => {
    const paths = aliasRoutes(routes, ['repos=repositories']).map((mounted) => mounted.route.path);
    expect(paths).to.deep.equal(['/repos', '/repos/{id}']);
  });

  it('serve a path without paths below it', () => {
    expect(aliasRoutes(routes, ['rest=others']).map((mounted) => mounted.route.path)).to.deep.equal([
      '/rest',
    ]);
  });

  it('are faults when no plugin serves the path', () => {
    const faults = aliasFaults(
      routes.map(({ route: served }) => served),
      ['repos=repo', 'rest=others'],
    );
    expect(faults.map(({ message }) => message)).to.deep.equal([
      'server.path_aliases (SERVER_PATH_ALIASES) has "repos=repo", but no enabled plugin serves "/repo" or a path below it.',
    ]);
  });
});
