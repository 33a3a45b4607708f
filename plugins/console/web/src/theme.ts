import { useSyncExternalStore } from 'react';
import { store, stored } from './storage.ts';

export type Theme = 'light' | 'dark';

const STORED = 'vitrine-theme';
const dark = matchMedia('(prefers-color-scheme: dark)');
const listeners = new Set<() => void>();

const kept = stored(STORED);
let chosen: Theme | undefined = kept === 'light' || kept === 'dark' ? kept : undefined;

function current(): Theme {
  return chosen ?? (dark.matches ? 'dark' : 'light');
}

/** Shows the theme that was chosen here, or the one that the system prefers. */
export function applyTheme(): void {
  document.documentElement.dataset['theme'] = current();
  for (const listener of listeners) listener();
}

/** Chooses a theme; the one that the system prefers is not kept, so that it goes on following the system. */
export function chooseTheme(theme: Theme): void {
  chosen = theme === (dark.matches ? 'dark' : 'light') ? undefined : theme;
  store(STORED, chosen);
  applyTheme();
}

export function useTheme(): Theme {
  return useSyncExternalStore((listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }, current);
}

dark.addEventListener('change', applyTheme);
