import { useEffect, useState } from 'react';

const WAIT_MS = 150;

/** The text, once typing has paused. */
export function useDelayed(typed: string): string {
  const [settled, setSettled] = useState(typed);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(typed), WAIT_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  return settled;
}
