import { queryOptions, useQuery } from '@tanstack/react-query';
import type { paths } from 'vitrine/client';
import { api, dataOf } from '../api/client.ts';
import { useLanguage, type Language } from '../texts/text.ts';

type Answer = paths['/console/pages']['get']['responses'][200]['content']['application/json'];
export type PluginPage = Answer['pages'][number];
export type PluginView = Answer['views'][number];
export type Panel = NonNullable<PluginPage['panels']>[number];

/** A text of a plugin by language; English is always there. */
export type Words = Readonly<Record<string, string>>;

/** What plugins add to the console for whoever is signed in. */
export const pageListQuery = queryOptions({
  queryKey: ['pages'],
  queryFn: ({ signal }) => dataOf(api.GET('/console/pages', { signal })),
  staleTime: 60_000,
});

export function usePageList(): Answer | undefined {
  return useQuery(pageListQuery).data;
}

/** Tells whether a plugin is on. All are taken for on until the service tells. */
export function useIsOn(): (plugin: string) => boolean {
  const on = usePageList()?.plugins;
  return (plugin) => on?.includes(plugin) ?? true;
}

/** Reads texts of plugins in the language of the reader. */
export function useWords(): (words: Words) => string {
  const language: Language = useLanguage();
  return (words) => (Object.hasOwn(words, language) ? words[language] : undefined) ?? words['en'] ?? '';
}
