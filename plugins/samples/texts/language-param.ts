/** ISO 639-1 codes of the languages whose common words are known. */
// oxfmt-ignore
const LANGUAGES = [
  'ar', 'cs', 'da', 'de', 'el', 'en', 'es', 'fa', 'fi', 'fr', 'hi', 'hu',
  'id', 'it', 'nl', 'no', 'pl', 'pt', 'ro', 'ru', 'sv', 'tr', 'uk',
] as const;

export type TextLanguage = (typeof LANGUAGES)[number];

/** The parameter of algorithms that pass over common words. */
export const languageParam = {
  type: 'string',
  default: 'en',
  enum: LANGUAGES,
  title: 'Language',
  description: 'Language of the text by ISO 639-1: it decides which common words are passed over.',
  'x-order': 1,
} as const;
