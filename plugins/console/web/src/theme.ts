import { useSyncExternalStore } from 'react';

export type Theme = 'light' | 'dark';

const STORED = 'vitrine-theme';
const dark = matchMedia('(prefers-color-scheme: dark)');
const listeners = new Set<() => void>();

function chosen(): Theme | undefined {
  const value = localStorage.getItem(STORED);
  return value === 'light' || value === 'dark' ? value : undefined;
}

function current(): Theme {
  return chosen() ?? (dark.matches ? 'dark' : 'light');
}

/** Shows the theme that was chosen here, or the one that the system prefers. */
export function applyTheme(): void {
  document.documentElement.dataset['theme'] = current();
  for (const listener of listeners) listener();
}

/** Chooses a theme; the one that the system prefers is not kept, so that it goes on following the system. */
export function chooseTheme(theme: Theme): void {
  if (theme === (dark.matches ? 'dark' : 'light')) localStorage.removeItem(STORED);
  else localStorage.setItem(STORED, theme);
  applyTheme();
}

export function useTheme(): Theme {
  return useSyncExternalStore((listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }, current);
}

dark.addEventListener('change', applyTheme);
