import { INSTALLATION, isoTime, routesWith } from '../../core/index.ts';
import { JobsAnswer, PluginsAnswer, SettingsAnswer } from './schemas.ts';

const route = routesWith({ installation: INSTALLATION });

/** What is installed here, how it is set, and what it does by itself. */
export const installationRoutes = [
  route({
    method: 'GET',
    path: '/plugins',
    operationId: 'listPlugins',
    summary: 'Lists the plugins that are installed, enabled or not',
    description: 'For administrators.',
    access: 'admin',
    answers: PluginsAnswer,
    handle: (_input, { installation }) => {
      const plugins = installation.plugins.map((plugin) => {
        const { id, version = null, summary = null, origin, enabled, leftOut = null } = plugin;
        const state = leftOut === null ? (enabled ? 'on' : 'off') : 'left_out';
        const { requires, routes, addresses } = plugin;
        const lists = { requires: [...requires], routes: [...routes], addresses: [...addresses] };
        return { id, version, summary, origin, state, left_out_because: leftOut, ...lists } as const;
      });
      return { plugins, total: plugins.length };
    },
  }),
  route({
    method: 'GET',
    path: '/settings',
    operationId: 'listSettings',
    summary: 'Lists the settings in effect, each with where its value comes from',
    description: 'For administrators. Secrets are masked.',
    access: 'admin',
    answers: SettingsAnswer,
    handle: (_input, { installation: { settings } }) => ({
      settings: [...settings],
      total: settings.length,
    }),
  }),
  route({
    method: 'GET',
    path: '/jobs',
    operationId: 'listJobs',
    summary: 'Lists what the plugins do on a schedule, and how it went last',
    description: 'For administrators.',
    access: 'admin',
    answers: JobsAnswer,
    handle: async (_input, { installation: { jobs } }) => {
      const all = (await jobs.list()).map(({ id, summary, schedule, isRunning, dueAt, failures, last }) => ({
        id,
        summary,
        schedule,
        running: isRunning,
        due_at: dueAt === undefined ? null : isoTime(dueAt),
        failures,
        last: last ? { at: isoTime(last.at), duration_ms: last.durationMs, fault: last.fault ?? null } : null,
      }));
      return { jobs: all, total: all.length };
    },
  }),
];
