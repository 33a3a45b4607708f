import { BACKENDS, DATABASE, doctorCheck, Problem, VAULT } from '../../core/index.ts';
import { CodeHostNotConfigured, CodeHostTokenRefused } from '../repositories/contract.ts';
import { configuredServer, storedConfiguration } from './configuration.ts';
import { ConnectionTest } from './connection-test.ts';
import { Connections } from './connections.ts';

/** Whether the code-hosting server answers and accepts the token. Nothing is changed there. */
export const codeHostCheck = doctorCheck({
  name: 'code-host',
  deps: { database: DATABASE, vault: VAULT, backends: BACKENDS },
  check: async ({ database, vault, backends }) => {
    const { server_url, access_token } = await storedConfiguration(database.knex);
    if (server_url === '' || access_token === '')
      return [{ state: 'ok', message: 'No code-hosting server is configured.' }];
    const server = () => configuredServer(database.knex, vault);
    const connections = new Connections({ configuration: { server }, backends });
    try {
      const { version, login } = await new ConnectionTest(connections).run();
      const message = `The code-hosting server ${server_url} answers (version ${version}) and knows the token as ${login}.`;
      return [{ state: 'ok', message }];
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      const isRefused = CodeHostTokenRefused.is(error) || CodeHostNotConfigured.is(error);
      return [
        {
          state: isRefused ? 'fault' : 'warning',
          message: `The code-hosting server ${server_url}: ${error.message}`,
          mend: isRefused
            ? 'Send another token with POST /api/v1/repohost/config, or in the console.'
            : `Start it, or correct its address with POST /api/v1/repohost/config: curl -v ${server_url}/api/v1/version`,
        },
      ];
    }
  },
});
