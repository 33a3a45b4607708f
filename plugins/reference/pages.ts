import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { replyBytes, RouteNotFound, tagBytes, token, type Reply } from '../../core/index.ts';
import { PAGE_POLICY, pageHtml, startScript } from './page-html.ts';

/** The document and the pages that show it, each made or read when first asked for. */
export interface Pages {
  document(): Reply<never>;
  /** `path` is the path of the page as the client sent it, with or without a slash at its end. */
  page(path: string): Reply<never>;
  /** Throws `RouteNotFound` for a file that the page does not use. */
  file(name: string): Promise<Reply<never>>;
}

export const PAGES = token<Pages>('reference:pages');

const SCRIPT = 'text/javascript; charset=utf-8';
const OWN_SCRIPT = 'answered-ids.js';

type TaggedBytes = ReturnType<typeof tagBytes>;

/** What of the description of the API is shown. */
interface Api {
  readonly basePath: string;
  readonly rootPath: string;
  document(): object;
}

/** The files beside this module that the page uses: one of its own, and of `swagger-ui-dist` no other than these. */
const assets: ReadonlyMap<string, string> = new Map([
  [OWN_SCRIPT, SCRIPT],
  ['swagger-ui.css', 'text/css; charset=utf-8'],
  ['swagger-ui-bundle.js', SCRIPT],
  ['favicon-32x32.png', 'image/png'],
]);

/** `read` reads a file of the page. */
export function createPages(api: Api, read = readAsset): Pages {
  const cache = new Map<string, TaggedBytes>();
  const script = tagBytes(startScript(`..${api.basePath.slice(api.rootPath.length)}/openapi.json`));
  const page = tagBytes(pageHtml('docs/'));
  const pageWithSlash = tagBytes(pageHtml(''));
  let document: TaggedBytes | undefined;
  return {
    document: () => replyBytes((document ??= tagBytes(JSON.stringify(api.document())))),
    page: (path) =>
      replyBytes(path.endsWith('/') ? pageWithSlash : page, {
        headers: { 'Content-Security-Policy': PAGE_POLICY },
      }),
    file: async (name) => {
      if (name === 'start.js') return replyBytes(script, { headers: { 'Content-Type': SCRIPT } });
      const type = assets.get(name);
      if (type === undefined) throw RouteNotFound(`The API pages have no file "${name.slice(0, 100)}".`);
      const bytes = cache.get(name) ?? tagBytes(await read(name));
      cache.set(name, bytes);
      return replyBytes(bytes, { headers: { 'Content-Type': type } });
    },
  };
}

/** The build copies all files beside this module; where the sources run, the others are in the development dependency. */
async function readAsset(name: string): Promise<Buffer> {
  const isPackaged = import.meta.url.endsWith('.ts') && name !== OWN_SCRIPT;
  const file = isPackaged
    ? createRequire(import.meta.url).resolve(`swagger-ui-dist/${name}`)
    : new URL(`./assets/${name}`, import.meta.url);
  return readFile(file);
}
