import { nearest } from '../../config/nearest.ts';
import type { Route } from '../../http/routing/route.ts';
import type { Panel, PluginPage } from './page.ts';

/** What a panel must know of a route of its plugin. */
export type OwnRoute = Pick<Route, 'method' | 'path' | 'operationId' | 'access' | 'answers' | 'atRoot'>;

interface Around {
  readonly access: PluginPage['access'];
  readonly routes: readonly OwnRoute[];
}

/** The route that a panel is filled from, by its `operationId` or its path. */
export function routeOf(from: string, routes: readonly OwnRoute[]): OwnRoute | undefined {
  return routes.find(
    ({ method, path, operationId }) => method === 'GET' && [path, operationId].includes(from),
  );
}

/** Who may use a route at least, in the words of pages. */
const FOR_ALL: readonly unknown[] = ['anonymous', 'public'];
const FOR_USERS: readonly unknown[] = [...FOR_ALL, 'user', 'account'];

/** Whether all who find a page in the menu may use a route. */
function isOpenTo(access: PluginPage['access'], route: OwnRoute): boolean {
  if (access === 'admin') return true;
  return (access === 'user' ? FOR_USERS : FOR_ALL).includes(route.access);
}

/**
 * The faults of a panel whose form is right: its columns must have different titles, and it must be bound to a route that
 * answers those who see the page.
 */
export function panelFaults(name: string, panel: Panel, around: Around): string[] {
  if (panel.kind === 'markdown') return [];
  return [...titleFaults(name, panel), ...sourceFaults(name, panel.from, around)];
}

/** The console tells columns and lines apart by their titles. */
function titleFaults(name: string, panel: Panel): string[] {
  const columns = panel.kind === 'table' ? panel.columns : panel.kind === 'series' ? panel.lines : [];
  const languages = new Set(columns.flatMap(({ title }) => Object.keys(title)));
  return [...languages].flatMap((language) => {
    const titles = columns.map(({ title }) => title[language] ?? title.en);
    const twice = titles.find((each, index) => titles.indexOf(each) !== index);
    return twice === undefined ? [] : [`${name} has two columns with the title "${twice}" (${language}).`];
  });
}

function sourceFaults(name: string, from: string, { access, routes }: Around): string[] {
  const readable = routes.filter(({ method, path, atRoot, answers }) => {
    const isList = method === 'GET' && !atRoot && !path.includes('{');
    return isList && (answers as { kind?: unknown }).kind !== 'raw';
  });
  const route = routeOf(from, readable);
  if (!route) {
    const names = readable.map(({ operationId }) => operationId);
    const guess = nearest(from, names);
    const known = names.length > 0 ? `It has ${names.join(', ')}.` : 'It has none.';
    return [
      `${name} reads "${from}", which is no GET route of the plugin that answers JSON and needs nothing in its path. ${guess ? `Did you mean "${guess}"?` : known}`,
    ];
  }
  return isOpenTo(access, route)
    ? []
    : [
        `${name} reads "${from}", which not everybody who sees the page may use. Give the page another access than "${access}".`,
      ];
}
