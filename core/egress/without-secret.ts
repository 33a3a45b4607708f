const MASK = '***';

/**
 * What a server says, without the secret that it was asked with in any of the forms in which servers echo one: as it is,
 * for a URL, in base64 or hexadecimal. An empty secret leaves the text as it is.
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
