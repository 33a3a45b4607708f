import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { root, sha256 } from './files.mjs';
import { say } from './run.mjs';
import { SHARED, sharedModules } from './shared-modules.mjs';

/** The sources of the web console. */
export const WEB = 'plugins/console/web';

/** Packages of the library of the forms that are not needed; the file that stands in for them says why. */
const LEFT_OUT = /^(markdown-to-jsx\/react|@rjsf\/validator-ajv8)$/;

/** What makes the console besides its sources. */
const OWN = ['scripts/prepare/web.mjs', 'scripts/prepare/shared-modules.mjs'];

const OUTPUTS = ['build/plugins/console/web', 'dist/plugins/console/web'];

/**
 * Builds the web console, for tests and to be started, unless `before` tells of one from exactly these sources. Answers
 * the paths of all that it wrote, and the folders of the packages that are in it.
 */
export async function buildWeb(sources, client, before) {
  const inputs = [...sources, client, 'package-lock.json', ...OWN];
  const key = sha256(inputs.map((path) => sha256(readFileSync(join(root, path)))).join('\n'));
  if (before?.key === key && before.files.every((path) => existsSync(join(root, path)))) return before;

  say('  the web console …');
  const { build } = await import('vite');
  const { output } = await build({
    root: join(root, WEB),
    configFile: false,
    base: './',
    logLevel: 'error',
    publicDir: false,
    plugins: [sharedModules],
    resolve: {
      alias: [{ find: LEFT_OUT, replacement: join(root, WEB, 'src/playground/form/left-out.tsx') }],
    },
    build: {
      target: 'es2022',
      write: false,
      modulePreload: { polyfill: false },
      rolldownOptions: {
        input: ['index.html', ...SHARED],
        preserveEntrySignatures: 'exports-only',
      },
      assetsInlineLimit: 0,
      reportCompressedSize: false,
    },
  });
  for (const folder of OUTPUTS) rmSync(join(root, folder), { recursive: true, force: true });
  const files = OUTPUTS.flatMap((folder) =>
    output.map(({ fileName, code, source }) => write(`${folder}/${fileName}`, code ?? source)),
  );
  const modules = output.flatMap(({ moduleIds = [] }) => moduleIds);
  const packages = new Set(modules.flatMap((path) => /node_modules\/(@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? []));
  return { key, files: [...files, client], packages: [...packages] };
}

function write(path, content) {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), content);
  return path;
}
