const MASK = '***';

/**
 * Masks a secret in the text of a server to which it was sent, in each form in which servers echo one: plain, encoded for
 * a URL, in base64 or in hexadecimal. An empty secret leaves the text as it is.
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
