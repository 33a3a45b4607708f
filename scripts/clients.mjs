/**
 * `npm run check:clients`: generates clients from the OpenAPI document of the built service, type-checks programs that use
 * them, and runs these against it: register, sign in, make a key, list, call, look into the history. The generators and
 * the linter Spectral are installed into a temporary folder, in the versions of `scripts/clients/package.json`: they are
 * large, and nothing else needs them. Takes about a minute, and the network for the packages.
 */
import { spawn, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { root } from './prepare/files.mjs';

const GENERATORS = {
  'openapi-typescript': 'openapi-typescript openapi.json -o generated/openapi-typescript.ts',
  'hey-api': 'openapi-ts -i openapi.json -o generated/hey-api -c @hey-api/client-fetch',
  orval: 'orval --config orval.config.cjs',
  'swagger-typescript-api':
    'swagger-typescript-api generate -p openapi.json -o generated -n swagger-typescript-api.ts',
  oazapfts: 'oazapfts openapi.json generated/oazapfts.ts',
};

const folder = mkdtempSync(join(tmpdir(), 'vitrine-clients-'));
let service;
try {
  cpSync(join(root, 'scripts/clients'), folder, { recursive: true });
  cpSync(join(root, 'test/fixtures/clients'), folder, { recursive: true });
  run('installs', 'npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--no-package-lock']);
  const baseUrl = await startService();
  writeFileSync(join(folder, 'openapi.json'), await (await fetch(`${baseUrl}/openapi.json`)).text());
  runTool(
    'is valid, says Spectral',
    'spectral lint openapi.json --ruleset spectral.yaml --fail-severity hint',
  );
  for (const [name, command] of Object.entries(GENERATORS)) runTool(`${name} generates`, command);
  const types = join(root, 'node_modules/@types');
  run('the programs fit the clients', process.execPath, [
    join(root, 'node_modules/typescript/bin/tsc'),
    '-p',
    '.',
    '--typeRoots',
    types,
  ]);
  const tsx = fileURLToPath(import.meta.resolve('tsx'));
  for (const name of Object.keys(GENERATORS)) {
    run(`${name} does its job`, process.execPath, [`--import=${tsx}`, `${name}.ts`], { BASE_URL: baseUrl });
  }
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
} finally {
  service?.kill();
  rmSync(folder, { recursive: true, force: true });
}

function runTool(title, command) {
  const [tool, ...args] = command.split(' ');
  run(title, join('node_modules/.bin', tool), args);
}

/** Runs a program in the folder. Throws with its output when it fails. */
function run(title, program, args, env = {}) {
  const began = performance.now();
  const { status, stdout, stderr, error } = spawnSync(program, args, {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, ...env },
  });
  if (status !== 0) throw new Error(`FAILED: ${title}\n${error ?? ''}${stdout}${stderr}`);
  console.log(`ok: ${title} (${((performance.now() - began) / 1000).toFixed(1)} s)`);
}

/** Starts the built service with the samples, and answers its base URL, which its document names too. */
async function startService() {
  const port = await freePort();
  const address = `http://127.0.0.1:${port}`;
  service = spawn(process.execPath, ['dist/cli/main.js', 'start'], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      PATH: process.env.PATH,
      DATA_DIR: join(folder, 'data'),
      PORT: String(port),
      PUBLIC_URL: address,
      LOG_LEVEL: 'warn',
    },
  });
  await new Promise((resolve, reject) => {
    service.stdout.on('data', (chunk) => String(chunk).includes('serves at') && resolve());
    service.on('exit', (code) => reject(new Error(`The service ended with ${code}.`)));
  });
  return `${address}/api/v1`;
}

function freePort() {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address();
      probe.close(() => resolve(port));
    });
  });
}
