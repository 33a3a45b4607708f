const PREFIX = /^data:image\/(?:png|jpeg|gif|webp);base64,/i;

/** The base64 of an image that a data URL holds; `undefined` for any other address. */
export function base64In(url: string): string | undefined {
  const prefix = PREFIX.exec(url)?.[0];
  return prefix && url.slice(prefix.length);
}
