import { useEffect, useRef, useState } from 'react';

const WAIT_MS = 200;

/** What is typed into a field that the address knows as well; it is passed on once typing pauses. */
export function useTyped(q: string | undefined, change: (q: string | undefined) => void) {
  const [typed, setTyped] = useState(q ?? '');
  const sent = useRef(q);
  const latest = useRef(change);
  useEffect(() => {
    latest.current = change;
  }, [change]);
  useEffect(() => {
    // The address changed by itself, as with Back.
    if (q !== sent.current) setTyped(q ?? '');
    sent.current = q;
  }, [q]);
  useEffect(() => {
    const wanted = typed.trim() || undefined;
    if (wanted === sent.current) return;
    const timer = setTimeout(() => {
      sent.current = wanted;
      latest.current(wanted);
    }, WAIT_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  return [typed, setTyped] as const;
}
