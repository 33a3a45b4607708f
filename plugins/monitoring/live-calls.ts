import { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { Problem, token, type UserPrincipal } from '../../core/index.ts';
import { demandManager, type AlgorithmRights, type Catalogue } from '../catalogue/contract.ts';
import type { CallScope, CallStatistics } from '../invocation/contract.ts';
import type { MonitoringSettings } from './config.ts';
import { noCalls, TooManyStreams } from './problems.ts';
import type { EventsQuery } from './schemas.ts';

/** How often the figures are looked at, which all processes keep in the database. */
const LOOK_MS = 1_000;
/** Looks without a change after which the stream says that it is alive. Proxies close what is silent for a minute. */
const QUIET_LOOKS = 15;
const MOST_OF_ACCOUNT = 10;
/** When a browser comes back after the stream broke off. */
const COME_BACK_MS = 3_000;

/** What a stream needs of its request. */
interface StreamRequest {
  readonly signal: AbortSignal;
  readonly stopping: AbortSignal;
}

/** Tells of calls as they end. */
export interface LiveCalls {
  /**
   * A stream of server-sent events: `calls` with the figures, at first and whenever they have changed, and `ended` with
   * the problem when the caller may look no longer. Throws `Forbidden`, `AlgorithmNotFound`, `PerformanceUnavailable` or
   * `TooManyStreams`.
   */
  open(
    principal: UserPrincipal,
    query: EventsQuery,
    request: StreamRequest,
    admitAgain: () => Promise<UserPrincipal>,
  ): Promise<Readable>;
}

export const LIVE_CALLS = token<LiveCalls>('monitoring:live-calls');

interface LiveCallsDeps {
  readonly catalogue: Catalogue | undefined;
  readonly rights: AlgorithmRights | undefined;
  readonly statistics: CallStatistics | undefined;
  readonly settings: Pick<MonitoringSettings, 'max_streams'>;
  /** How often the figures are looked at, in milliseconds; 1,000 by default. */
  readonly lookMs?: number | undefined;
}

export function createLiveCalls(deps: LiveCallsDeps): LiveCalls {
  const { catalogue, rights, statistics, settings, lookMs = LOOK_MS } = deps;
  /** Whose the streams are that are not closed. */
  const open = new Map<Readable, string>();
  const demandPlace = (userId: string): void => {
    const own = [...open.values()].filter((each) => each === userId).length;
    if (open.size < settings.max_streams && own < MOST_OF_ACCOUNT) return;
    throw TooManyStreams('As many live streams as allowed are open. Ask for the figures every few seconds.', {
      headers: { 'Retry-After': '30' },
    });
  };
  return {
    open: async (principal, query, { signal, stopping }, admitAgain) => {
      if (!catalogue || !rights || !statistics) throw noCalls();
      const mayLook = async (user: UserPrincipal): Promise<void> => {
        if (query.whose === 'everybody') {
          await demandManager({ catalogue, rights }, user, query.algorithm_id);
        }
      };
      await mayLook(principal);
      demandPlace(principal.userId);
      const scope: CallScope = {
        algorithmId: query.algorithm_id,
        userId: query.whose === 'own' ? principal.userId : undefined,
      };
      const look = async (): Promise<string> => {
        await mayLook(await admitAgain());
        const { total_calls, status_counts } = await statistics.totals(scope);
        return eventOf('calls', { total_calls, status_counts });
      };
      const ends = AbortSignal.any([signal, stopping, AbortSignal.timeout(query.seconds * 1000)]);
      const stream = Readable.from(events(look, ends, lookMs));
      // In the turn in which there was one. A stream that is never read, as that of a HEAD request, is closed as well.
      open.set(stream, principal.userId);
      return stream.once('close', () => open.delete(stream));
    },
  };
}

async function* events(
  look: () => Promise<string>,
  ends: AbortSignal,
  lookMs: number,
): AsyncGenerator<string> {
  yield `retry: ${COME_BACK_MS}\n\n`;
  let last = '';
  let quiet = 0;
  while (!ends.aborted) {
    let seen = last;
    try {
      seen = await look();
    } catch (error) {
      // While the database is away there is nothing to tell.
      if (error instanceof Problem && error.status < 500) {
        yield eventOf('ended', { code: error.code, detail: error.message });
        return;
      }
    }
    quiet = seen === last ? quiet + 1 : 0;
    if (seen !== last) yield seen;
    else if (quiet % QUIET_LOOKS === 0) yield ': still here\n\n';
    last = seen;
    await pause(lookMs, undefined, { signal: ends, ref: false }).catch(() => undefined);
  }
}

function eventOf(name: string, data: object): string {
  return `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
}
