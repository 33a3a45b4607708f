/** Characters that show nothing, control what others look like, or end a line. */
const INVISIBLE = /[\p{Cc}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800\ufff9-\ufffb]/u;
/** Scripts whose words need joiners. */
const JOINING = [
  'Arab',
  'Syrc',
  'Mong',
  'Deva',
  'Beng',
  'Guru',
  'Gujr',
  'Orya',
  'Taml',
  'Telu',
  'Knda',
  'Mlym',
  'Sinh',
];
const JOINING_LETTER = `[${JOINING.map((script) => `\\p{scx=${script}}`).join('')}]`;
/** Joiners within such words and within emoji, and what asks for the coloured form of an emoji. */
const JOINERS = new RegExp(
  `(?<=${JOINING_LETTER})[\\u200c\\u200d](?=${JOINING_LETTER})` +
    '|(?<=[\\p{Extended_Pictographic}\\p{Emoji_Modifier}\\ufe0f])\\u200d(?=\\p{Extended_Pictographic})' +
    '|(?<=\\p{Extended_Pictographic})\\ufe0f',
  'gu',
);

/**
 * Whether a text can be the name of something: one line, without white space at its ends and invisible characters. A pattern
 * says whether it may be blank.
 */
export function isName(text: string): boolean {
  const trimmed = text.trim();
  return trimmed === '' || (trimmed === text && !INVISIBLE.test(text.replace(JOINERS, '')));
}
