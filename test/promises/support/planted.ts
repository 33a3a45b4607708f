/** The forms in which a secret could be found, each under the name of the secret. */
export function formsOf(secrets: Readonly<Record<string, string>>): ReadonlyMap<string, string> {
  const forms = new Map<string, string>();
  for (const [name, secret] of Object.entries(secrets)) {
    const bytes = Buffer.from(secret);
    forms.set(secret, name);
    forms.set(encodeURIComponent(secret), `${name}, URL-encoded`);
    forms.set(bytes.toString('hex'), `${name}, in hex`);
    for (const [shift, text] of base64Forms(bytes).entries())
      forms.set(text, `${name}, in base64 (${shift})`);
  }
  return forms;
}

/** What base64 makes of the bytes wherever they begin in a text: without the characters that depend on neighbours. */
function base64Forms(bytes: Buffer): string[] {
  return [0, 1, 2].map((shift) => {
    const text = Buffer.concat([Buffer.alloc(shift), bytes])
      .toString('base64')
      .replace(/=+$/, '');
    const whole = Math.floor((shift + bytes.length) / 3) * 4;
    return text.slice(shift === 0 ? 0 : 4, whole);
  });
}

/** The names of the secrets that a text holds, in whichever form. */
export function findIn(text: string, forms: ReadonlyMap<string, string>): string[] {
  const lower = text.toLowerCase();
  return [...forms]
    .filter(([form, name]) => (name.endsWith('hex') ? lower.includes(form) : text.includes(form)))
    .map(([, name]) => name);
}
