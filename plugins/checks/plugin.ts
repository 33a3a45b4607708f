import { contribute, definePlugin, listen } from '../../core/index.ts';
import { algorithmChanged, algorithmDeleted, VERSION_CHECKS } from '../catalogue/contract.ts';
import { CHECK_STORE } from './check-store.ts';
import { ChecksSettings } from './config.ts';
import { versionBroke, versionMended } from './contract.ts';
import { metrics } from './metrics.ts';
import { migrations } from './migrations.ts';
import { NothingToCheck } from './problems.ts';
import { routes } from './routes.ts';
import { checkJob, SCHEDULE } from './schedule.ts';
import { services } from './services.ts';

export default definePlugin({
  id: 'checks',
  version: '1.0.0',
  api: '^1.0',
  summary: 'Runs the examples of versions regularly and says which versions work',
  requires: ['catalogue', 'invocation'],
  config: ChecksSettings,
  services,
  contributes: [contribute(VERSION_CHECKS, { deps: { store: CHECK_STORE }, create: ({ store }) => store })],
  routes,
  migrations,
  events: {
    emits: [versionBroke, versionMended],
    listens: [
      listen(algorithmChanged, {
        deps: { schedule: SCHEDULE },
        handle: ({ algorithm_id }, { schedule }) => schedule.refresh(algorithm_id),
      }),
      listen(algorithmDeleted, {
        deps: { schedule: SCHEDULE },
        handle: ({ algorithm_id }, { schedule }) => schedule.refresh(algorithm_id),
      }),
    ],
  },
  problems: [NothingToCheck],
  metrics,
  jobs: [checkJob],
});
