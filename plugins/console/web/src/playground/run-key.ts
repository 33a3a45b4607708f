import { useEffect, useEffectEvent } from 'react';

/** Ctrl-Enter runs wherever the focus is, except in a dialog. */
export function useRunKey(start: () => void): void {
  const run = useEffectEvent(start);
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
      // What the key did in a dialog may have closed it by now.
      const isInDialog = event.target instanceof Element && event.target.closest('dialog') !== null;
      if (isInDialog || document.querySelector('dialog[open]')) return;
      event.preventDefault();
      if (!event.repeat) run();
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, []);
}
