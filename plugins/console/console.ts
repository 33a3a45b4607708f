import { readdir, readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { NotReady, replyBytes, RouteNotFound, tagBytes, token, type Reply } from '../../core/index.ts';
import { mediaTypeOf } from './media-types.ts';
import { pageFor, policyOf } from './page.ts';

/** The built web page and its files. */
export interface Console {
  /** `path` is the path of the page as the client sent it. Throws `NotReady` where the page was not built. */
  page(path: string): Promise<Reply<never>>;
  /** The page for an address that leads nowhere, which it says. */
  missingPage(path: string): Promise<Reply<never>>;
  /** Throws `RouteNotFound` for a file that the build did not make. */
  file(name: string, acceptEncoding: string | undefined): Promise<Reply<never>>;
}

export const CONSOLE = token<Console>('console:console');

const compress = promisify(gzip);

/** `gzip;q=0` asks for no gzip. */
const TAKES_GZIP = /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/i;

/** Names of files contain a hash of their content, so a browser need never ask again. */
const FOR_EVER = 'public, max-age=31536000, immutable';

interface Asset {
  readonly bytes: Buffer;
  readonly compressed: Buffer;
}

/** `web` is the folder that holds the built page. */
export function createConsole(
  api: { readonly basePath: string; readonly rootPath: string },
  web = webFolder(),
): Console {
  const cache = new Map<string, Promise<Asset>>();
  let html: Promise<string> | undefined;
  let names: Promise<ReadonlySet<string>> | undefined;

  const readAsset = async (name: string): Promise<Asset> => {
    const bytes = await readFile(new URL(`assets/${name}`, web));
    return { bytes, compressed: await compress(bytes, { level: 9 }) };
  };
  const namesOfAssets = (): Promise<ReadonlySet<string>> =>
    readdir(new URL('assets/', web)).then(
      (all) => new Set(all),
      () => {
        names = undefined;
        return new Set<string>();
      },
    );
  const assetOf = async (name: string): Promise<Asset> => {
    names ??= namesOfAssets();
    if (!(await names).has(name)) throw noFile(name);
    const asset = cache.get(name) ?? readAsset(name);
    cache.set(name, asset);
    try {
      return await asset;
    } catch (error) {
      cache.delete(name);
      // It was deleted since the folder was read.
      throw (error as NodeJS.ErrnoException).code === 'ENOENT' ? noFile(name) : error;
    }
  };
  const htmlFor = async (path: string): Promise<{ html: string; headers: Record<string, string> }> => {
    html ??= readFile(new URL('index.html', web), 'utf8');
    const template = await html.catch(() => undefined);
    if (template === undefined) {
      html = undefined;
      throw NotReady('The web console was not built. Run `npm start`, which builds it.');
    }
    return {
      html: pageFor(template, path, api),
      headers: { 'Content-Security-Policy': policyOf(template) },
    };
  };
  return {
    page: async (path) => {
      const { html, headers } = await htmlFor(path);
      return replyBytes(tagBytes(html), { headers });
    },
    missingPage: async (path) => {
      const { html, headers } = await htmlFor(path);
      return replyBytes(html, {
        status: 404,
        headers: { ...headers, 'Content-Type': 'text/html; charset=utf-8', 'Cache-Control': 'no-store' },
      });
    },
    file: async (name, acceptEncoding) => {
      const { bytes, compressed } = await assetOf(name);
      const isCompressed = TAKES_GZIP.test(acceptEncoding ?? '');
      return replyBytes(isCompressed ? compressed : bytes, {
        headers: {
          'Content-Type': mediaTypeOf(name),
          'Cache-Control': FOR_EVER,
          Vary: 'Accept-Encoding',
          ...(isCompressed && { 'Content-Encoding': 'gzip' }),
        },
      });
    },
  };
}

const noFile = (name: string) => RouteNotFound(`The console has no file "${name.slice(0, 100)}".`);

/** The build puts the page beside this module; where the sources run, what was built last is in `dist`. */
function webFolder(): URL {
  const isSource = import.meta.url.endsWith('.ts');
  return new URL(isSource ? '../../dist/plugins/console/web/' : './web/', import.meta.url);
}
