const BEGINNINGS: Readonly<Record<string, string>> = {
  iVBOR: 'image/png',
  '/9j/': 'image/jpeg',
  R0lGO: 'image/gif',
  UklGR: 'image/webp',
};

/** An address by which the browser shows a picture in base64; `undefined` where it is none. SVG is not shown: it may hold more than a picture. */
export function pictureUrl(value: string): string | undefined {
  const data = /^data:image\/(png|jpeg|gif|webp);base64,/.test(value) ? value : undefined;
  if (data) return data;
  const type = Object.entries(BEGINNINGS).find(([beginning]) => value.startsWith(beginning))?.[1];
  return type && `data:${type};base64,${value}`;
}
