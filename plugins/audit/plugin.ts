import { AUDIT_SINKS, CLOCK, contribute, DATABASE, definePlugin, job, service } from '../../core/index.ts';
import { AuditSettings } from './config.ts';
import { migrations } from './migrations.ts';
import { routes } from './routes.ts';
import { Trail, TRAIL } from './trail.ts';

export default definePlugin({
  id: 'audit',
  version: '1.0.0',
  api: '^1.0',
  summary: 'Keeps who changed what, when and from where, and shows it to administrators',
  config: AuditSettings,
  services: [
    service({
      token: TRAIL,
      deps: { database: DATABASE, clock: CLOCK, settings: AuditSettings.token },
      create: (deps) => new Trail(deps),
    }),
  ],
  contributes: [contribute(AUDIT_SINKS, { deps: { trail: TRAIL }, create: ({ trail }) => trail })],
  routes,
  migrations,
  jobs: [
    job({
      name: 'old-entries',
      summary: 'Deletes entries of the audit trail that are older than audit.kept_days',
      every: '24h',
      deps: { trail: TRAIL },
      run: ({ signal }, { trail }) => trail.deleteOld(signal),
    }),
  ],
});
