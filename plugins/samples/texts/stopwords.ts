import * as lists from 'stopword';
import type { TextLanguage } from './language-param.ts';

/** The lists of the library are named by ISO 639-3. */
// prettier-ignore
const NAMES = {
  ar: 'ara', cs: 'ces', da: 'dan', de: 'deu', el: 'ell', en: 'eng', es: 'spa', fa: 'fas', fi: 'fin', fr: 'fra', hi: 'hin', hu: 'hun',
  id: 'ind', it: 'ita', nl: 'nld', no: 'nob', pl: 'pol', pt: 'por', ro: 'ron', ru: 'rus', sv: 'swe', tr: 'tur', uk: 'ukr',
} as const satisfies Record<TextLanguage, keyof typeof lists>;

/** Words of a language that carry no topic of their own ("the", "und"), in lower case. */
export function stopwordsOf(language: TextLanguage): ReadonlySet<string> {
  return new Set(lists[NAMES[language]].map((word) => word.toLowerCase()));
}
