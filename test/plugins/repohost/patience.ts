import { CONNECTIONS, Connections, type ConnectionsDeps } from '../../../plugins/repohost/connections.ts';
import { made } from '../../support/other-services.ts';

/** The patience with a code-hosting server that does not answer: enough for one that does on a busy machine. */
export const TIMEOUT_MS = 1_500;

export const impatientConnections = made(
  CONNECTIONS,
  (deps: ConnectionsDeps) => new Connections({ ...deps, timeoutMs: TIMEOUT_MS }),
);
