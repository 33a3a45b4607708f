const MASK = '***';

/**
 * Masks a secret in the answer of a server that received it, in each form that servers echo: plain, URL-encoded, base64
 * or hexadecimal. An empty secret leaves the text unchanged.
 */
export function withoutSecret(text: string, secret: string): string {
  if (secret === '') return text;
  const bytes = Buffer.from(secret);
  const forms = [
    secret,
    encodeURIComponent(secret),
    bytes.toString('base64'),
    bytes.toString('base64url'),
    bytes.toString('hex'),
  ];
  return forms.reduce((safe, form) => safe.replaceAll(form, MASK), text);
}
