import { useIsFetching } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useIsAway } from '../api/reachability.ts';
import { useIsOnline } from '../parts/states.tsx';
import { text } from '../texts/text.ts';

const SLOW_MS = 6000;

/** Says what keeps the screens from being up to date. */
export function Banner() {
  const isOnline = useIsOnline();
  const isAway = useIsAway();
  const isSlow = useIsSlow();
  const { offlineBanner, away, slow } = text.errors;
  const said = !isOnline ? offlineBanner : isAway ? away : isSlow ? slow : undefined;
  return (
    <div role="status" className={said ? 'banner' : undefined}>
      {said}
    </div>
  );
}

function useIsSlow(): boolean {
  const isWaiting = useIsFetching() > 0;
  const [isSlow, setSlow] = useState(false);
  useEffect(() => {
    if (!isWaiting) return setSlow(false);
    const timer = setTimeout(() => setSlow(true), SLOW_MS);
    return () => clearTimeout(timer);
  }, [isWaiting]);
  return isSlow;
}
