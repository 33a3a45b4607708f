import { token, type INSTALLATION, type Principal, type Type, type ServiceOf } from '../../core/index.ts';
import type { PagesAnswer } from './schemas.ts';

type PluginPages = Type.Static<typeof PagesAnswer>;
type Page = PluginPages['pages'][number];
/** What is installed, as the kernel tells it. */
export type Installation = ServiceOf<typeof INSTALLATION>;
type InstalledPlugin = Installation['plugins'][number];
type Access = InstalledPlugin['pages'][number]['access'];

/** What plugins add to the console. */
export interface PageList {
  /** The plugins that are on, the pages that a caller finds in the menu, and all views. */
  seenBy(principal: Principal): PluginPages;
}

export const PAGE_LIST = token<PageList>('console:page-list');

export function createPageList({ plugins }: Installation): PageList {
  const pages = plugins.flatMap((plugin) =>
    plugin.pages.map((page) => ({ access: page.access, answer: answerOf(page, plugin) })),
  );
  const views = plugins.flatMap((plugin) =>
    plugin.views.map(({ id, title, kind, file, mediaTypes = [] }) => ({
      name: `${plugin.id}:${id}`,
      plugin: plugin.id,
      title,
      media_types: [...mediaTypes],
      kind,
      file: addressOf(plugin, file),
      operations: [...plugin.routes],
    })),
  );
  const on = plugins.filter(({ enabled, leftOut }) => enabled && leftOut === undefined).map(({ id }) => id);
  return {
    seenBy: (principal) => ({
      plugins: on,
      pages: pages.filter(({ access }) => sees(principal, access)).map(({ answer }) => answer),
      views,
    }),
  };
}

function sees(principal: Principal, access: Access): boolean {
  if (access === 'everyone') return true;
  return principal.kind === 'user' && (access === 'user' || principal.role === 'admin');
}

function answerOf(page: InstalledPlugin['pages'][number], plugin: InstalledPlugin): Page {
  const { id, title, icon, kind } = page;
  const about = { plugin: plugin.id, id, title, ...(icon && { icon }), kind };
  if (page.kind === 'panels') return { ...about, panels: [...page.panels] as unknown as Page['panels'] & {} };
  return { ...about, file: addressOf(plugin, page.file), operations: [...plugin.routes] };
}

function addressOf(plugin: InstalledPlugin, file: string): string {
  return `page-files/${plugin.id}/${file}`;
}
