import { rawContent, replyBytes, routesWith } from '../../core/index.ts';
import { CONSOLE } from './console.ts';
import { FRAME_PAGE, FRAME_POLICY } from './frame.ts';
import { PAGE_FILES } from './page-files.ts';
import { PAGE_LIST } from './plugin-pages.ts';
import { PagesAnswer } from './schemas.ts';

const route = routesWith({ site: CONSOLE, files: PAGE_FILES, list: PAGE_LIST });

/** The addresses that the page knows; the file `web/src/router.tsx` has a screen for each. */
const PAGES = {
  Catalogue: '/',
  Algorithm: '/algorithms/{algorithm_id}',
  Call: '/calls/{call_id}',
  History: '/history',
  Statistics: '/statistics',
  Dashboard: '/dashboard',
  Keys: '/keys',
  Account: '/account',
  SignIn: '/sign-in',
  SignInByProvider: '/sign-in/{provider_id}',
  Registration: '/register',
  Reset: '/reset',
  Plugin: '/pages/{plugin}/{page}',
  Administration: '/administration',
  Algorithms: '/administration/algorithms',
  ChangedAlgorithm: '/administration/algorithms/{algorithm_id}',
  ChangedVersion: '/administration/algorithms/{algorithm_id}/versions/{version_id}',
  Users: '/administration/users',
  User: '/administration/users/{user_id}',
  Groups: '/administration/groups',
  Group: '/administration/groups/{group_id}',
  AllKeys: '/administration/keys',
  Repositories: '/administration/repositories',
  CodeHosting: '/administration/repositories/hosting',
  Gateway: '/administration/gateway',
  GatewayLimits: '/administration/gateway/limits',
  GatewayBlocks: '/administration/gateway/blocks',
  GatewayCircuits: '/administration/gateway/circuits',
  GatewayCheck: '/administration/gateway/check',
  Transfer: '/administration/transfer',
  Audit: '/administration/audit',
  Plugins: '/administration/plugins',
  InstalledPlugin: '/administration/plugins/{plugin_id}',
  Settings: '/administration/settings',
} as const;

const pages = Object.entries(PAGES).map(([name, path]) =>
  route({
    method: 'GET',
    path,
    atRoot: true,
    hidden: true,
    operationId: `getConsole${name}Page`,
    summary: 'Serves the page of the console, which shows this screen',
    access: 'anonymous',
    answers: rawContent('text/html; charset=utf-8'),
    handle: ({ request }, { site }) => site.page(request.path),
  }),
);

export const routes = [
  ...pages,
  route({
    method: 'GET',
    path: '/frame',
    atRoot: true,
    hidden: true,
    operationId: 'getConsoleFrame',
    summary: 'Serves the document in which pages of algorithms are shown',
    access: 'anonymous',
    answers: rawContent('text/html; charset=utf-8'),
    handle: () => replyBytes(FRAME_PAGE, { headers: { 'Content-Security-Policy': FRAME_POLICY } }),
  }),
  route({
    method: 'GET',
    path: '/assets/{file}',
    atRoot: true,
    hidden: true,
    operationId: 'getConsoleFile',
    summary: 'Serves the scripts and styles of the console',
    access: 'anonymous',
    answers: rawContent('application/octet-stream'),
    handle: ({ path, request }, { site }) => site.file(path.file, request.header('accept-encoding')),
  }),
  route({
    method: 'GET',
    path: '/console/pages',
    operationId: 'listConsolePages',
    summary: 'Lists what plugins add to the console',
    description:
      'The plugins that are on, the pages that the caller finds in the menu, and ways to show results; of a plugin that is switched off there are none.',
    access: 'public',
    answers: PagesAnswer,
    handle: ({ principal }, { list }) => list.seenBy(principal),
  }),
  route({
    method: 'GET',
    path: '/page-files/{plugin}/{file}',
    atRoot: true,
    hidden: true,
    operationId: 'getConsolePageFile',
    summary: 'Serves a file of the pages of a plugin',
    access: 'anonymous',
    answers: rawContent('application/octet-stream'),
    handle: ({ path }, { files }) => files.file(path.plugin, path.file),
  }),
  route({
    method: 'GET',
    path: '/page-files/{plugin}/{folder}/{file}',
    atRoot: true,
    hidden: true,
    operationId: 'getConsolePageFileInFolder',
    summary: 'Serves a file in a folder of the pages of a plugin',
    access: 'anonymous',
    answers: rawContent('application/octet-stream'),
    handle: ({ path }, { files }) => files.file(path.plugin, `${path.folder}/${path.file}`),
  }),
];
