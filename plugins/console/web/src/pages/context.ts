import { useRouter } from '@tanstack/react-router';
import { useEffect, useMemo, useRef } from 'react';
import type { PageContext } from 'vitrine/contracts/console';
import { apiUrl, rootPath } from '../place.ts';
import { useLanguage } from '../texts/text.ts';
import { useTheme } from '../theme.ts';
import { request } from './request.ts';

/** Where the files of a plugin are, with a slash at the end. */
export function filesOf(plugin: string): string {
  return new URL(`page-files/${plugin}/`, document.baseURI).href;
}

/** What code of a plugin works with; one object for as long as its place is shown. */
export function usePageContext(plugin: string): PageContext {
  const router = useRouter();
  const [language, theme] = [useLanguage(), useTheme()];
  const now = useRef({ language, theme });
  const listeners = useRef(new Set<() => void>());
  useEffect(() => {
    const { language: before, theme: old } = now.current;
    if (before === language && old === theme) return;
    now.current = { language, theme };
    for (const listener of listeners.current) listener();
  }, [language, theme]);
  return useMemo(
    () => ({
      request: request as PageContext['request'],
      navigate: (path) => {
        if (!/^\/(?![/\\])/.test(path))
          throw new TypeError(`"${path}" is no address of the console; it begins with a slash.`);
        router.history.push(rootPath + path.slice(1));
      },
      get language() {
        return now.current.language;
      },
      get theme() {
        return now.current.theme;
      },
      onChange: (listener) => {
        listeners.current.add(listener);
        return () => listeners.current.delete(listener);
      },
      consoleUrl: new URL(rootPath, document.baseURI).href,
      apiUrl,
      filesUrl: filesOf(plugin),
    }),
    [plugin, router],
  );
}
