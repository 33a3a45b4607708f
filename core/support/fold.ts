const IGNORABLE = /\p{Default_Ignorable_Code_Point}/gu;

/**
 * The form in which texts are searched and compared: equal for texts that differ only in case, width, composition or
 * characters without a shape (NFKC_Casefold of Unicode). Dotless `ı` is `i` as well, since both are `I` in upper case.
 */
export function folded(text: string): string {
  // Upper case in between makes `ss` of `ß` and one sigma of two; the outer steps do so with `ẞ` and a sigma at an end.
  const cased = text.normalize('NFKC').toLowerCase().toUpperCase().toLowerCase().replaceAll('ς', 'σ');
  return cased.replace(IGNORABLE, '').normalize('NFKC');
}
