import { join } from 'node:path';
import { build } from 'esbuild';
import { packageRoot } from '../../core/support/package-root.ts';

const SOURCES = 'plugins/console/web/src';

/**
 * What modules of the console export that need nothing of a browser but its languages. They are no part of the service,
 * so they are bundled as they are for the page.
 */
// oxlint-disable-next-line typescript/no-explicit-any -- the page has types of its own, with those of a browser
export async function loadConsoleModules(...paths: readonly string[]): Promise<any> {
  const { outputFiles } = await build({
    stdin: {
      contents: [...paths, 'texts/text.ts'].map((path) => `export * from './${path}';`).join('\n'),
      resolveDir: join(packageRoot, SOURCES),
    },
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'node',
    banner: { js: BROWSER },
  });
  const modules = await import(
    `data:text/javascript;base64,${Buffer.from(outputFiles[0]!.contents).toString('base64')}`
  );
  await modules.loadLanguage();
  return modules;
}

const BROWSER = `
const navigator = { languages: ['en'] };
const localStorage = { getItem: () => null };
const location = { search: '' };
const document = { documentElement: { style: {} }, baseURI: 'http://console.test/', querySelector: () => null };
`;
