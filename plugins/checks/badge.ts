import type { CheckedVersion } from './schemas.ts';

/** Dark enough for white text. */
const COLOURS = { working: '#2a7a3a', broken: '#b3261e', unchecked: '#5f6368' } as const;
const LABEL = 'examples';
const LABEL_WIDTH = 64;
const WIDTHS = { working: 58, broken: 52, unchecked: 70 } as const;

/** A picture of the state of a version, for readmes. It needs no script, no style sheet and no font of ours. */
export function badgeOf({ state, since }: Pick<CheckedVersion, 'state' | 'since'>): string {
  const title = `${LABEL}: ${state}${since === null ? '' : ` since ${since.slice(0, 10)}`}`;
  const width = LABEL_WIDTH + WIDTHS[state];
  const written = (text: string, from: number, room: number): string =>
    `<text x="${from + room / 2}" y="14" textLength="${room - 12}" lengthAdjust="spacingAndGlyphs">${text}</text>`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="20" role="img" aria-labelledby="title">`,
    `<title id="title">${title}</title>`,
    `<clipPath id="corners"><rect width="${width}" height="20" rx="4"/></clipPath>`,
    '<g clip-path="url(#corners)">',
    `<rect width="${LABEL_WIDTH}" height="20" fill="#3c4043"/>`,
    `<rect x="${LABEL_WIDTH}" width="${WIDTHS[state]}" height="20" fill="${COLOURS[state]}"/>`,
    '</g>',
    '<g fill="#fff" text-anchor="middle" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11">',
    written(LABEL, 0, LABEL_WIDTH),
    written(state, LABEL_WIDTH, WIDTHS[state]),
    '</g>',
    '</svg>',
  ].join('');
}
