import { expect } from 'chai';
import { builtInPlugins } from '../../core/testing.ts';

describe('operations that change a resource', () => {
  it('name the fields that they cannot change, so that none answers 200 without effect', async () => {
    const plugins = await builtInPlugins();
    const changing = plugins
      .flatMap(({ routes = [] }) => routes)
      .filter(({ method, body }) => body && (method === 'PUT' || method === 'PATCH'));
    const silent = changing.filter(({ fixed }) => !fixed).map(({ operationId }) => operationId);
    expect(changing).to.have.length.at.least(8);
    expect(silent).to.deep.equal([]);
  });
});
