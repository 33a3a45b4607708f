import { existsSync, realpathSync, statSync } from 'node:fs';
import { sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { TObject } from 'typebox';
import { satisfies } from '../../config/checker.ts';
import { inWords } from '../../config/words.ts';
import { PAGES, PANELS, VIEWS, type PluginPage, type PluginView } from './page.ts';
import { panelFaults, type OwnRoute } from './panel-check.ts';

/** What of a plugin its pages and views are checked against. */
export interface WithPages {
  readonly pages?: readonly PluginPage[];
  readonly views?: readonly PluginView[];
  readonly webFiles?: URL;
  readonly routes?: readonly OwnRoute[];
}

/**
 * The faults in the pages and views of a plugin, one sentence each. `folder` is that of the plugin's code, or empty where
 * it has none.
 */
export function pageFaults(
  { pages = [], views = [], webFiles, routes = [] }: WithPages,
  folder: string,
): string[] {
  const faults = [
    ...twice('page', pages),
    ...twice('view', views),
    ...pages.flatMap((page) => [
      ...kindFaults(`its page "${page?.id}"`, page, PAGES),
      ...(page?.kind === 'panels' && Array.isArray(page.panels) ? ofPanels(page, routes) : []),
    ]),
    ...views.flatMap((view) => kindFaults(`its view "${view?.id}"`, view, VIEWS)),
  ];
  return faults.length > 0 ? faults : fileFaults(filesOf(pages, views), webFiles, folder);
}

function ofPanels(page: PluginPage & { readonly kind: 'panels' }, routes: readonly OwnRoute[]): string[] {
  return page.panels.flatMap((panel, index) => {
    const name = `panel ${index + 1} of its page "${page.id}"`;
    const faults = kindFaults(name, panel, PANELS);
    return faults.length > 0 ? faults : panelFaults(name, panel, { access: page.access, routes });
  });
}

function twice(what: string, list: readonly { readonly id: string }[]): string[] {
  const ids = list.map((each) => each?.id);
  return ids
    .filter((id, index) => ids.indexOf(id) !== index)
    .map((id) => `it has two ${what}s with the id "${id}".`);
}

/** What of a value is not as its kind demands. */
function kindFaults(name: string, value: unknown, kinds: Readonly<Record<string, TObject>>): string[] {
  const { kind, ...members } = (value ?? {}) as Readonly<Record<string, unknown>>;
  if (typeof kind !== 'string' || !Object.hasOwn(kinds, kind)) {
    return [
      `${name} has the kind ${JSON.stringify(kind)}; it must be one of ${Object.keys(kinds).join(', ')}.`,
    ];
  }
  const { properties, required } = kinds[kind]!;
  return [
    ...required.filter((each) => !(each in members)).map((each) => `${name} has no ${each}.`),
    ...Object.entries(members).flatMap(([each, given]) => {
      const schema = Object.hasOwn(properties, each) ? properties[each]! : undefined;
      if (!schema) return [`${name} has a member "${each}", which the kind "${kind}" does not have.`];
      return given === undefined || satisfies(schema, given)
        ? []
        : [`the ${each} of ${name} must be ${inWords(schema)}.`];
    }),
  ];
}

interface NamedFile {
  readonly of: string;
  readonly file: string;
}

function filesOf(pages: readonly PluginPage[], views: readonly PluginView[]): readonly NamedFile[] {
  return [
    ...pages.flatMap((page) =>
      page.kind === 'panels' ? [] : [{ of: `its page "${page.id}"`, file: page.file }],
    ),
    ...views.map(({ id, file }) => ({ of: `its view "${id}"`, file })),
  ];
}

function fileFaults(files: readonly NamedFile[], webFiles: URL | undefined, folder: string): string[] {
  if (webFiles === undefined) {
    return files.map(
      ({ of, file }) =>
        `${of} is the file "${file}", but it does not say where its files are. Add webFiles: new URL('./pages/', import.meta.url).`,
    );
  }
  if (webFiles.protocol !== 'file:' || !webFiles.pathname.endsWith('/')) {
    return [`its webFiles is ${webFiles.href}; it must be the URL of a folder, with a slash at its end.`];
  }
  const place = fileURLToPath(webFiles);
  if (!statSync(place, { throwIfNoEntry: false })?.isDirectory()) {
    return [`its webFiles is ${place}, and there is no such folder. Was it built?`];
  }
  if (folder !== '' && !`${realpathSync(place)}${sep}`.startsWith(`${realpathSync(folder)}${sep}`)) {
    return [`its webFiles is ${place}, which is not in the folder of the plugin, ${folder}.`];
  }
  return files
    .filter(({ file }) => !existsSync(new URL(file, webFiles)))
    .map(({ of, file }) => `${of} is the file "${file}", and there is none in ${place}. Was it built?`);
}
