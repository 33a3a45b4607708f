import { readFile, realpath } from 'node:fs/promises';
import { sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { page, replyBytes, RouteNotFound, tagBytes, token, type Reply } from '../../core/index.ts';
import { mediaTypeOf } from './media-types.ts';
import type { Installation } from './plugin-pages.ts';

/** The files that pages and views of plugins load. */
export interface PageFiles {
  /** `name` is that of a file in the folder of the plugin, or in a folder directly within it. Throws `RouteNotFound`. */
  file(plugin: string, name: string): Promise<Reply<never>>;
}

export const PAGE_FILES = token<PageFiles>('console:page-files');

/**
 * The policy of a document in a frame: its own scripts, styles and pictures, no requests at all, and an origin of its own,
 * opened alone as well. Scripts and styles heed that of the document that loads them.
 */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'self'",
  'sandbox allow-scripts',
].join('; ');

const NAME = new RegExp(page.fileName);

export function createPageFiles({ plugins }: Installation): PageFiles {
  const folders = new Map(plugins.flatMap(({ id, webFiles }) => (webFiles ? [[id, webFiles] as const] : [])));
  return {
    file: async (plugin, name) => {
      const folder = folders.get(plugin);
      const bytes = folder && NAME.test(name) ? await readWithin(folder, name) : undefined;
      if (!bytes) {
        throw RouteNotFound(
          `The plugin "${plugin.slice(0, 60)}" has no file "${name.slice(0, 100)}" for the console.`,
        );
      }
      return replyBytes(tagBytes(bytes), {
        headers: {
          'Content-Type': mediaTypeOf(name),
          'Content-Security-Policy': POLICY,
          // Modules and fonts of a document without an origin are asked for as those of another one.
          'Access-Control-Allow-Origin': '*',
        },
      });
    },
  };
}

/** The content of a file, unless it does not exist or is a link that leads out of the folder. */
async function readWithin(folder: URL, name: string): Promise<Buffer | undefined> {
  try {
    const path = await realpath(new URL(name, folder));
    return path.startsWith(`${await realpath(fileURLToPath(folder))}${sep}`)
      ? await readFile(path)
      : undefined;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (['ENOENT', 'ENOTDIR', 'EISDIR'].includes(code ?? '')) return undefined;
    throw error;
  }
}
