import { existsSync } from 'node:fs';
import type { TObject } from 'typebox';
import { faultWithin } from '../../config/checker.ts';
import type { Route } from '../../http/routing/route.ts';
import type { PluginDefinition } from '../plugin.ts';
import { PAGES, PANELS, VIEWS, type PluginPage } from './page.ts';
import { routeOf } from './panel-route.ts';

type WithPages = Pick<PluginDefinition, 'pages' | 'views' | 'webFiles' | 'routes'>;

/** The faults in the pages and views of a plugin, one sentence each. */
export function pageFaults({ pages = [], views = [], webFiles, routes = [] }: WithPages): string[] {
  const faults = [
    ...twice('page', pages),
    ...twice('view', views),
    ...pages.flatMap((page) => formFaults(`its page "${page?.id}"`, page, PAGES)),
    ...views.flatMap((view) => formFaults(`its view "${view?.id}"`, view, VIEWS)),
  ];
  if (faults.length > 0) return faults;
  return [
    ...pages.flatMap((page) => panelFaults(page, routes)),
    ...pages.flatMap((page) =>
      page.kind === 'panels' ? [] : fileFaults(`its page "${page.id}"`, page.file, webFiles),
    ),
    ...views.flatMap((view) => fileFaults(`its view "${view.id}"`, view.file, webFiles)),
  ];
}

function twice(what: string, list: readonly { readonly id: string }[]): string[] {
  const ids = list.map((each) => each?.id);
  return ids
    .filter((id, index) => ids.indexOf(id) !== index)
    .map((id) => `it has two ${what}s with the id "${id}".`);
}

/** What of a value is not as its kind demands. */
function formFaults(name: string, value: unknown, kinds: Readonly<Record<string, TObject>>): string[] {
  const { kind, ...members } = (value ?? {}) as Readonly<Record<string, unknown>>;
  if (typeof kind !== 'string' || !Object.hasOwn(kinds, kind)) {
    return [
      `${name} has the kind ${JSON.stringify(kind)}; it must be one of ${Object.keys(kinds).join(', ')}.`,
    ];
  }
  const fault = faultWithin(kinds[kind]!, members);
  return fault === undefined ? [] : [`${name} ${fault}.`];
}

function panelFaults(page: PluginPage, routes: readonly Route[]): string[] {
  if (page.kind !== 'panels') return [];
  return page.panels.flatMap((panel, index) => {
    const name = `panel ${index + 1} of its page "${page.id}"`;
    const faults = formFaults(name, panel, PANELS);
    if (faults.length > 0 || panel.kind === 'markdown' || routeOf(panel.from, routes)) return faults;
    return [
      `${name} reads "${panel.from}", which is no GET route of the plugin that answers JSON and needs nothing in its path.`,
    ];
  });
}

function fileFaults(name: string, file: string, webFiles: URL | undefined): string[] {
  if (webFiles === undefined) {
    return [
      `${name} is the file "${file}", but it does not say where its files are. Add webFiles: new URL('./pages/', import.meta.url).`,
    ];
  }
  const place = new URL(file, webFiles);
  if (existsSync(place)) return [];
  return [`${name} is the file "${file}", and there is no ${place.pathname}. Was it built?`];
}
