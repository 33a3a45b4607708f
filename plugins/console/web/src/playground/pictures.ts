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

const SHOWN = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp']);

/** The address of a picture that an algorithm answers as `{content_type, data_base64}`. */
export function answeredPicture(value: unknown): string | undefined {
  const { content_type: type, data_base64: data } = (value ?? {}) as Record<string, unknown>;
  if (typeof type !== 'string' || typeof data !== 'string' || !SHOWN.has(type)) return undefined;
  return `data:${type};base64,${data}`;
}
