import type { LinkKind } from '../models.ts';
import type { Mail } from './mailer.ts';

interface Facts {
  readonly username: string;
  readonly email: string;
  readonly url: string;
  /** ISO 8601. */
  readonly expires_at: string;
}

/** The mail with a one-time link. */
export function linkMail(kind: LinkKind, { username, email, url, expires_at }: Facts): Mail {
  const [subject, what, otherwise] = TEXTS[kind];
  const until = `${expires_at.slice(0, 16).replace('T', ' ')} UTC`;
  const text = `Hello ${username},

${what}

${url}

The link works once, until ${until}. ${otherwise}
`;
  return { to: email, subject, text };
}

const TEXTS: Readonly<Record<LinkKind, readonly [subject: string, what: string, otherwise: string]>> = {
  invitation: [
    'Your account on Vitrine',
    'an account was made for you, and this is its name. Choose a password to sign in with it:',
    'If it is over, ask an administrator for a new one.',
  ],
  reset: [
    'Choose a new password for Vitrine',
    'a new password was asked for this account. Choose it here; it ends all sessions of the account:',
    'If you did not ask for it, do nothing: your password stays as it is.',
  ],
};
