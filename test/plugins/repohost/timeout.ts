import { CONNECTIONS, Connections, type ConnectionsDeps } from '../../../plugins/repohost/connections.ts';
import { made } from '../../support/other-services.ts';

/** How long a test waits for a code-hosting server; enough for one that answers on a busy machine. */
export const TIMEOUT_MS = 1_500;

export const impatientConnections = made(
  CONNECTIONS,
  (deps: ConnectionsDeps) => new Connections({ ...deps, timeoutMs: TIMEOUT_MS }),
);
