import { useEffect, useState, type ReactNode } from 'react';
import { text } from '../texts/text.ts';

const TICK_MS = 100;

/** What is waited for, and since when. */
export function Waiting({ children }: { readonly children: ReactNode }) {
  const [begun] = useState(() => Date.now());
  const [now, setNow] = useState(begun);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), TICK_MS);
    return () => clearInterval(timer);
  }, []);
  return (
    <span className="row waiting">
      <span className="spinner" aria-hidden="true" />
      {children}
      <span className="elapsed" aria-hidden="true">
        {text.results.elapsed(((now - begun) / 1000).toFixed(1))}
      </span>
    </span>
  );
}
