import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { meQuery } from '../api/queries.ts';
import { apiUrl } from '../place.ts';

/** Charts that change more often cannot be read. */
const SHOW_EVERY_MS = 2_000;
/** What goes on without calls, such as the time itself and the load. */
const ASK_EVERY_MS = 30_000;
/** How often to ask where no stream can be kept, and when to try again to have one. */
const ASK_WITHOUT_STREAM_MS = 5_000;
const CONNECT_AGAIN_MS = 30_000;

/** Where news come from: the service tells of calls, or it is asked every few seconds. */
export type LiveWay = 'stream' | 'asking';

/**
 * Has figures asked for again when calls have ended, while somebody looks: the service tells of them in a stream of events,
 * and where that is refused or breaks off it is asked instead.
 */
export function useLive(isWanted: boolean, whose: string, ask: () => void): LiveWay | undefined {
  const { data: me } = useQuery(meQuery);
  const isLive = isWanted && Boolean(me);
  const [way, setWay] = useState<LiveWay>();
  useEffect(() => {
    if (!isLive) return setWay(undefined);
    const live = follow(whose, ask, setWay);
    const look = (): void => {
      live.pause();
      if (document.hidden) return;
      ask();
      live.start();
    };
    document.addEventListener('visibilitychange', look);
    if (!document.hidden) live.start();
    return () => {
      document.removeEventListener('visibilitychange', look);
      live.pause();
    };
  }, [isLive, whose, ask]);
  return way;
}

function follow(whose: string, ask: () => void, tell: (way: LiveWay | undefined) => void) {
  let source: EventSource | undefined;
  let asking: number | undefined;
  let connecting: number | undefined;
  let showing: number | undefined;
  let isFirst = true;

  const askEvery = (milliseconds: number): void => {
    clearInterval(asking);
    asking = window.setInterval(ask, milliseconds);
  };
  const changed = (): void => {
    // The first event tells what there is, which was asked for already.
    if (isFirst) isFirst = false;
    else showing ??= window.setTimeout(() => ((showing = undefined), ask()), SHOW_EVERY_MS);
  };
  const pause = (): void => {
    source?.close();
    source = undefined;
    clearInterval(asking);
    clearTimeout(connecting);
    clearTimeout(showing);
    showing = undefined;
  };
  const connect = (): void => {
    isFirst = true;
    const stream = new EventSource(`${apiUrl}/monitoring/events?${whose}`);
    source = stream;
    stream.addEventListener('open', () => {
      tell('stream');
      askEvery(ASK_EVERY_MS);
    });
    stream.addEventListener('calls', changed);
    // The right or the session is over, which asking once finds out as well.
    stream.addEventListener('ended', () => (pause(), tell(undefined), ask()));
    stream.addEventListener('error', () => {
      tell('asking');
      askEvery(ASK_WITHOUT_STREAM_MS);
      // A browser comes back by itself unless it was refused.
      if (stream.readyState === EventSource.CLOSED) {
        connecting = window.setTimeout(connect, CONNECT_AGAIN_MS);
      }
    });
  };
  return {
    pause,
    start: (): void => {
      askEvery(ASK_WITHOUT_STREAM_MS);
      connect();
    },
  };
}
