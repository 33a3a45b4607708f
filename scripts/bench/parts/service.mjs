import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { start } from './processes.mjs';

const main = fileURLToPath(new URL('../../../dist/core/cli/main.js', import.meta.url));
const PASSWORD = 'correct horse battery';

/** Starts the built service on an empty database, with one version at the upstream, and signs its administrator in. */
export async function startService({ databaseUrl, upstreamPort, env = {} }) {
  const dataDir = mkdtempSync(join(tmpdir(), 'vitrine-bench-'));
  process.on('exit', () => rmSync(dataDir, { recursive: true, force: true }));
  const { port, pid } = await start(main, {
    args: ['start'],
    env: {
      HOST: '127.0.0.1',
      PORT: '0',
      DATA_DIR: dataDir,
      DATABASE_URL: databaseUrl ?? `sqlite:${join(dataDir, 'bench.db')}`,
      LOG_LEVEL: 'warn',
      ...env,
    },
    says: /serves at http:\/\/[^:\s]+:(\d+)/,
  });
  const api = async (method, path, body, token) => {
    const response = await fetch(`http://127.0.0.1:${port}/api/v1${path}`, {
      method,
      headers: {
        ...(body ? { 'content-type': 'application/json' } : {}),
        ...(token ? { authorization: `Bearer ${token}` } : {}),
      },
      body: body ? JSON.stringify(body) : undefined,
    });
    const answer = await response.json();
    if (response.status !== 200) throw new Error(`${method} ${path}: ${JSON.stringify(answer)}`);
    return answer;
  };
  await api('POST', '/users/register', { username: 'bench', email: 'bench@example.org', password: PASSWORD });
  const { access_token: token } = await api('POST', '/users/login', {
    username: 'bench',
    password: PASSWORD,
  });
  const { id: algorithm_id } = await api(
    'POST',
    '/algorithms',
    { name: 'Bench', description: 'Is called', type: 'ml' },
    token,
  );
  const { id: version_id } = await api(
    'POST',
    `/algorithms/${algorithm_id}/versions`,
    { version: '1', url: `http://127.0.0.1:${upstreamPort}/` },
    token,
  );
  return { port, pid, token, algorithm_id, version_id, api };
}
