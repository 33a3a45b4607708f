import { useSyncExternalStore } from 'react';
import type { AdministrationTexts } from './administration/en.ts';
import type { Texts } from './en.ts';
import { part } from '../part.ts';
import { store, stored } from '../storage.ts';
import { setLocale } from './format.ts';

export {
  showAgo,
  showDate,
  showDuration,
  showIn,
  showMoment,
  showNumber,
  showPercent,
  showSpan,
  showTime,
} from './format.ts';

/** The languages, each by the name that it gives itself. */
export const LANGUAGES = { en: 'English', zh: '简体中文' } as const;
export type Language = keyof typeof LANGUAGES;

/** Only the dictionary that is read is loaded. */
const dictionaries: Readonly<Record<Language, () => Promise<Texts>>> = {
  en: async () => (await part(() => import('./en.ts'))).en,
  zh: async () => (await part(() => import('./zh.ts'))).zh,
};
const administrationDictionaries: Readonly<Record<Language, () => Promise<AdministrationTexts>>> = {
  en: async () => (await part(() => import('./administration/en.ts'))).administration,
  zh: async () => (await part(() => import('./administration/zh.ts'))).administration,
};
const TAGS: Readonly<Record<Language, string>> = { en: 'en', zh: 'zh-CN' };
const STORED = 'vitrine-language';

/** Every text of the console in the language of the reader. It can change, so read it where a text is shown. */
export let text: Texts;

/** The texts of the screens for administrators, which are loaded with the first of them. */
export let adminText: AdministrationTexts;

let language: Language = 'en';
const listeners = new Set<() => void>();

function isLanguage(value: string | undefined): value is Language {
  return value !== undefined && Object.hasOwn(LANGUAGES, value);
}

/** The first language of the browser that the console speaks. */
function preferred(): Language {
  return navigator.languages.map((tag) => tag.slice(0, 2)).find(isLanguage) ?? 'en';
}

/** Loads the language that was chosen here, or the one that the browser prefers. */
export async function loadLanguage(): Promise<void> {
  const chosen = stored(STORED);
  await show(isLanguage(chosen) ? chosen : preferred());
}

export async function loadAdministrationTexts(): Promise<void> {
  adminText = await administrationDictionaries[language]();
}

/** Goes on in another language. What the browser prefers is not kept, so that it goes on following the browser. */
export async function chooseLanguage(next: Language): Promise<void> {
  await show(next);
  store(STORED, next === preferred() ? undefined : next);
}

async function show(next: Language): Promise<void> {
  text = await dictionaries[next]();
  language = next;
  if (adminText) await loadAdministrationTexts();
  // An English reader in London has dates as they are written there.
  setLocale(navigator.languages.find((tag) => tag.startsWith(next)) ?? TAGS[next]);
  document.documentElement.lang = TAGS[next];
  for (const listener of listeners) listener();
}

/** The language of the texts; what calls this is shown again when another is chosen. */
export function useLanguage(): Language {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => language,
  );
}

/** What a type of algorithms is called; types are free text, so an unknown one is shown in words. */
export function showType(type: string): string {
  const known = named(text.types, type);
  if (known) return known;
  const words = type.replaceAll(/[_-]+/g, ' ').trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

export const showStatus = (status: string): string => named(text.statuses, status) ?? status;

export const showCheck = (state: string): string => named(text.checks.states, state) ?? state;

/** What a problem is called. The service itself writes English, so that dictionary names none. */
export function showProblem(code: string, title: string): string {
  return named(text.problems, code) ?? title;
}

/** The words for why a call failed. */
export const showFailure = (code: string): string =>
  named(text.results.failures, code) ?? showProblem(code, code);

/** Names come from the service, and none of them may find what every object has, such as `constructor`. */
function named(names: Readonly<Record<string, string>>, name: string): string | undefined {
  return Object.hasOwn(names, name) ? names[name] : undefined;
}
