import * as lists from 'stopword';
import type { TextLanguage } from './language-param.ts';

// oxfmt-ignore
const LISTS: Readonly<Record<TextLanguage, readonly string[]>> = {
  ar: lists.ara, cs: lists.ces, da: lists.dan, de: lists.deu, el: lists.ell, en: lists.eng,
  es: lists.spa, fa: lists.fas, fi: lists.fin, fr: lists.fra, hi: lists.hin, hu: lists.hun,
  id: lists.ind, it: lists.ita, nl: lists.nld, no: lists.nob, pl: lists.pol, pt: lists.por,
  ro: lists.ron, ru: lists.rus, sv: lists.swe, tr: lists.tur, uk: lists.ukr,
};

/** Words of a language that carry no topic of their own ("the", "und"), in lower case. */
export function stopwordsOf(language: TextLanguage): ReadonlySet<string> {
  return new Set(LISTS[language].map((word) => word.toLowerCase()));
}
