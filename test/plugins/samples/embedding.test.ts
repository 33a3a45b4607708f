import { expect } from 'chai';
import { contribute, definePlugin } from '../../../core/index.ts';
import { builtInPlugins, startTestKernel, type TestKernel } from '../../../core/testing.ts';
import { CATALOGUE } from '../../../plugins/catalogue/contract.ts';
import { EMBEDDED_ALGORITHMS } from '../../../plugins/samples/contract.ts';
import { fixture } from './support.ts';

const weather = definePlugin({
  id: 'weather',
  version: '1.0.0',
  api: '^1.0',
  summary: 'Brings an algorithm of its own',
  requires: ['samples'],
  contributes: [
    contribute(EMBEDDED_ALGORITHMS, {
      deps: {},
      create: () => ({ id: 'weather/oracle', module: fixture('echo') }),
    }),
  ],
});

describe('A plugin that brings an embedded algorithm', function () {
  this.timeout(30_000);
  let kernel: TestKernel;

  before(async () => {
    const builtIn = await builtInPlugins(['users', 'catalogue', 'invocation', 'samples']);
    const settings = { samples: { seed: false } };
    kernel = await startTestKernel({ engine: 'sqlite', plugins: [...builtIn, weather], settings });
  });

  after(() => kernel.stop());

  it('has it called like any other endpoint', async () => {
    const catalogue = kernel.get(CATALOGUE);
    const { id: algorithm_id } = await catalogue.create({ name: 'Oracle', description: '', type: 'ml' });
    const { id: version_id } = await catalogue.createVersion(algorithm_id, {
      version: '1',
      url: 'plugin:weather/oracle',
    });
    const account = { username: 'ada', email: 'ada@example.org', password: 'correct horse battery' };
    await kernel.request('POST', '/users/register', { body: account });
    const login = await kernel.request('POST', '/users/login', { body: account });
    const { body } = await kernel.request('POST', '/algorithms/call', {
      token: login.body.access_token as string,
      body: { algorithm_id, version_id, input_data: { sky: 'red' }, params: { days: 2 } },
    });
    expect(body).to.deep.include({
      status: 'success',
      output_data: { input: { sky: 'red' }, params: { days: 2 } },
    });
  });
});
