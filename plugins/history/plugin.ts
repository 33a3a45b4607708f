import { CLOCK, definePlugin, service } from '../../core/index.ts';
import { CALL_LOG, CALL_STATISTICS } from '../invocation/contract.ts';
import { HISTORY, createHistory } from './history.ts';
import { routes } from './routes.ts';
import { STATISTICS, createStatistics } from './statistics.ts';

export default definePlugin({
  id: 'history',
  version: '1.0.0',
  api: '^1.0',
  summary: 'Shows callers their calls, and statistics about them',
  requires: ['invocation'],
  services: [
    service({ token: HISTORY, deps: { calls: CALL_LOG }, create: createHistory }),
    service({
      token: STATISTICS,
      deps: { figures: CALL_STATISTICS, clock: CLOCK },
      create: createStatistics,
    }),
  ],
  routes,
});
