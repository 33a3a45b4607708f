import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { part } from '../part.ts';
import { root } from '../root.ts';
import { loadAdministrationTexts } from '../texts/text.ts';
import {
  readAlgorithmsSearch,
  readAlgorithmTab,
  readAllKeysSearch,
  readAuditSearch,
  readGroupsSearch,
  readSettingsSearch,
  readUsersSearch,
  readVersionSearch,
} from './addresses.ts';
import {
  readBlocksSearch,
  readCheckSearch,
  readCircuitsSearch,
  readPoliciesSearch,
} from './gateway/addresses.ts';
import { readRepositoriesSearch } from './repositories/addresses.ts';

/** One file for most screens: who administers goes to and fro between them. */
const screens = () => part(() => import('./screens.ts'));

const area = createRoute({
  getParentRoute: () => root,
  path: '/administration',
  loader: loadAdministrationTexts,
  component: lazyRouteComponent(screens, 'Administration'),
});

const index = createRoute({
  getParentRoute: () => area,
  path: '/',
  beforeLoad: () => void redirect({ to: '/administration/algorithms', replace: true, throw: true }),
});

/** A file of its own: those who manage an algorithm see nothing else of the administration. */
const algorithmScreens = () => part(() => import('./algorithms/algorithm-screens.ts'));

const algorithms = createRoute({
  getParentRoute: () => area,
  path: 'algorithms',
  validateSearch: readAlgorithmsSearch,
  component: lazyRouteComponent(algorithmScreens, 'AlgorithmsPage'),
});

const algorithm = createRoute({
  getParentRoute: () => area,
  path: 'algorithms/$algorithmId',
  validateSearch: readAlgorithmTab,
  component: lazyRouteComponent(algorithmScreens, 'AlgorithmPage'),
});

const newAlgorithm = createRoute({
  getParentRoute: () => area,
  path: 'algorithms/new',
  component: lazyRouteComponent(algorithmScreens, 'NewAlgorithmPage'),
});

const version = createRoute({
  getParentRoute: () => area,
  path: 'algorithms/$algorithmId/versions/$versionId',
  validateSearch: readVersionSearch,
  component: lazyRouteComponent(algorithmScreens, 'VersionPage'),
});

const users = createRoute({
  getParentRoute: () => area,
  path: 'users',
  validateSearch: readUsersSearch,
  component: lazyRouteComponent(screens, 'UsersPage'),
});

const user = createRoute({
  getParentRoute: () => area,
  path: 'users/$userId',
  component: lazyRouteComponent(screens, 'UserPage'),
});

const groups = createRoute({
  getParentRoute: () => area,
  path: 'groups',
  validateSearch: readGroupsSearch,
  component: lazyRouteComponent(screens, 'GroupsPage'),
});

const group = createRoute({
  getParentRoute: () => area,
  path: 'groups/$groupId',
  component: lazyRouteComponent(screens, 'GroupPage'),
});

const keys = createRoute({
  getParentRoute: () => area,
  path: 'keys',
  validateSearch: readAllKeysSearch,
  component: lazyRouteComponent(screens, 'AllKeysPage'),
});

const repositoryScreens = () => part(() => import('./repositories/repository-screens.ts'));

const repositories = createRoute({
  getParentRoute: () => area,
  path: 'repositories',
  component: lazyRouteComponent(repositoryScreens, 'RepositoriesArea'),
});

const repositoryList = createRoute({
  getParentRoute: () => repositories,
  path: '/',
  validateSearch: readRepositoriesSearch,
  component: lazyRouteComponent(repositoryScreens, 'RepositoriesPage'),
});

const hosting = createRoute({
  getParentRoute: () => repositories,
  path: 'hosting',
  component: lazyRouteComponent(repositoryScreens, 'HostingPage'),
});

const gatewayScreens = () => part(() => import('./gateway/gateway-screens.ts'));

const gateway = createRoute({
  getParentRoute: () => area,
  path: 'gateway',
  component: lazyRouteComponent(gatewayScreens, 'GatewayPage'),
});

const gatewayIndex = createRoute({
  getParentRoute: () => gateway,
  path: '/',
  beforeLoad: () => void redirect({ to: '/administration/gateway/limits', replace: true, throw: true }),
});

const policies = createRoute({
  getParentRoute: () => gateway,
  path: 'limits',
  validateSearch: readPoliciesSearch,
  component: lazyRouteComponent(gatewayScreens, 'PoliciesPage'),
});

const blocks = createRoute({
  getParentRoute: () => gateway,
  path: 'blocks',
  validateSearch: readBlocksSearch,
  component: lazyRouteComponent(gatewayScreens, 'BlocksPage'),
});

const circuits = createRoute({
  getParentRoute: () => gateway,
  path: 'circuits',
  validateSearch: readCircuitsSearch,
  component: lazyRouteComponent(gatewayScreens, 'CircuitsPage'),
});

const check = createRoute({
  getParentRoute: () => gateway,
  path: 'check',
  validateSearch: readCheckSearch,
  component: lazyRouteComponent(gatewayScreens, 'CheckPage'),
});

const transfer = createRoute({
  getParentRoute: () => area,
  path: 'transfer',
  component: lazyRouteComponent(() => part(() => import('./transfer/transfer-page.tsx')), 'TransferPage'),
});

const audit = createRoute({
  getParentRoute: () => area,
  path: 'audit',
  validateSearch: readAuditSearch,
  component: lazyRouteComponent(screens, 'AuditPage'),
});

const plugins = createRoute({
  getParentRoute: () => area,
  path: 'plugins',
  component: lazyRouteComponent(screens, 'PluginsPage'),
});

const plugin = createRoute({
  getParentRoute: () => area,
  path: 'plugins/$pluginId',
  component: lazyRouteComponent(screens, 'PluginPage'),
});

const settings = createRoute({
  getParentRoute: () => area,
  path: 'settings',
  validateSearch: readSettingsSearch,
  component: lazyRouteComponent(screens, 'SettingsPage'),
});

/** The screens of administrators. */
export const administration = area.addChildren([
  index,
  algorithms,
  newAlgorithm,
  algorithm,
  version,
  users,
  user,
  groups,
  group,
  keys,
  repositories.addChildren([repositoryList, hosting]),
  gateway.addChildren([gatewayIndex, policies, blocks, circuits, check]),
  transfer,
  audit,
  plugins,
  plugin,
  settings,
]);
