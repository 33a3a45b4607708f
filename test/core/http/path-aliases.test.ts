import { expect } from 'chai';
import { StartupError } from '../../../core/errors/startup-error.ts';
import { aliasRoutes } from '../../../core/http/routing/path-aliases.ts';
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

  it('stop the start when no plugin serves the path', () => {
    expect(() => aliasRoutes(routes, ['repos=repo'])).to.throw(
      StartupError,
      'no enabled plugin serves "/repo" or a path below it',
    );
  });
});
