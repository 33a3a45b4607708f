import { expect } from 'chai';
import { withoutReplaced } from '../../../core/http/routing/fallback-routes.ts';
import type { MountedRoute } from '../../../core/http/routing/mounted-route.ts';
import type { Route } from '../../../core/http/routing/route.ts';

describe('a fallback route', () => {
  const mounted = (plugin: string, fallback: boolean, path = '/') =>
    ({ plugin, deps: {}, route: { method: 'GET', path, atRoot: true, fallback } as Route }) as MountedRoute;
  const owners = (...routes: MountedRoute[]) =>
    withoutReplaced(routes, '/api/v1').map(({ plugin }) => plugin);

  it('serves where no other route does', () => {
    expect(owners(mounted('core', true))).to.deep.equal(['core']);
  });

  it('gives way to another route, whichever comes first', () => {
    expect(owners(mounted('core', true), mounted('console', false))).to.deep.equal(['console']);
    expect(owners(mounted('console', false), mounted('reference', true))).to.deep.equal(['console']);
  });

  it('gives way to a later fallback', () => {
    expect(owners(mounted('core', true), mounted('reference', true))).to.deep.equal(['reference']);
  });

  it('stays beside routes of other paths', () => {
    expect(owners(mounted('core', true), mounted('reference', false, '/docs'))).to.have.length(2);
  });

  it('leaves two routes that clash to the check for that', () => {
    expect(owners(mounted('one', false), mounted('other', false))).to.have.length(2);
  });
});
