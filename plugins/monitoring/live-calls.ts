import { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { Problem, token, type Clock, type UserPrincipal } from '../../core/index.ts';
import { demandManager, type AlgorithmRights, type Catalogue } from '../catalogue/contract.ts';
import type { CallScope, CallStatistics } from '../invocation/contract.ts';
import { noCalls, TooManyStreams } from './problems.ts';
import type { EventsQuery } from './schemas.ts';

/** How often the figures are looked at, which all processes keep in the database. */
const LOOK_MS = 1_000;
/** How long the stream is silent before it says that it is alive. Proxies close what is silent for a minute. */
const QUIET_MS = 15_000;
/** Streams of this process: each asks the database every second. Clients beyond them ask every few seconds. */
const MOST_STREAMS = 200;
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

export interface LiveCallsDeps {
  readonly catalogue: Catalogue | undefined;
  readonly rights: AlgorithmRights | undefined;
  readonly statistics: CallStatistics | undefined;
  readonly clock: Pick<Clock, 'elapsed'>;
  /** How often the figures are looked at, in milliseconds; 1,000 by default. */
  readonly lookMs?: number | undefined;
  /** Streams that are served at once; 200 by default. */
  readonly mostStreams?: number | undefined;
}

export function createLiveCalls(deps: LiveCallsDeps): LiveCalls {
  const { catalogue, rights, statistics, clock, lookMs = LOOK_MS, mostStreams = MOST_STREAMS } = deps;
  /** Whose the streams are that are not closed. */
  const open = new Map<Readable, string>();
  const demandRoom = (userId: string): void => {
    const own = [...open.values()].filter((each) => each === userId).length;
    if (open.size < mostStreams && own < MOST_OF_ACCOUNT) return;
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
      demandRoom(principal.userId);
      const scope: CallScope = {
        algorithmId: query.algorithm_id,
        userId: query.whose === 'own' ? principal.userId : undefined,
      };
      const look = async (): Promise<string> => {
        await mayLook(await admitAgain());
        const { total_calls, status_counts } = await statistics.totals(scope);
        return eventOf('calls', { total_calls, status_counts });
      };
      const stopped = AbortSignal.any([signal, stopping]);
      const ends = clock.elapsed() + query.seconds * 1000;
      const stream = Readable.from(events({ look, stopped, ends, clock, lookMs }));
      // In the same turn as the check above, so that no other request takes the place. A stream that is never read, as that of
      // a HEAD request, is closed as well.
      open.set(stream, principal.userId);
      return stream.once('close', () => open.delete(stream));
    },
  };
}

interface Watch {
  readonly look: () => Promise<string>;
  readonly stopped: AbortSignal;
  /** In elapsed milliseconds. */
  readonly ends: number;
  readonly clock: Pick<Clock, 'elapsed'>;
  readonly lookMs: number;
}

async function* events({ look, stopped, ends, clock, lookMs }: Watch): AsyncGenerator<string> {
  yield `retry: ${COME_BACK_MS}\n\n`;
  let last = '';
  let told = clock.elapsed();
  while (!stopped.aborted && clock.elapsed() < ends) {
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
    if (seen !== last || clock.elapsed() - told >= QUIET_MS) {
      told = clock.elapsed();
      yield seen === last ? ': still here\n\n' : seen;
    }
    last = seen;
    const rest = Math.max(0, Math.min(lookMs, ends - clock.elapsed()));
    await pause(rest, undefined, { signal: stopped, ref: false }).catch(() => undefined);
  }
}

function eventOf(name: string, data: object): string {
  return `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
}
