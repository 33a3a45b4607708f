import { folded, ValidationFailed } from '../../core/index.ts';

/** Some letters and marks have no shape, such as the Hangul fillers. */
const ALL_VISIBLE = '(?!.*\\p{Default_Ignorable_Code_Point})';
/** Letters and digits of any script, and `. _ @ + -` after the first character. */
export const USERNAME_PATTERN = `^${ALL_VISIBLE}[\\p{L}\\p{N}][\\p{L}\\p{M}\\p{N}._@+-]{0,63}$`;
/** Text before the @ and a host name after it. Only sending mail can verify an address. */
export const EMAIL_PATTERN = `^${ALL_VISIBLE}[^\\s@\\p{C}<>()\\[\\],;:"\\\\]{1,64}@[\\p{L}\\p{N}](?:[\\p{L}\\p{N}.-]{0,187}[\\p{L}\\p{N}])?$`;
export const SHORTEST_PASSWORD = 8;
export const LONGEST_PASSWORD = 256;

export interface NewAccount {
  readonly username: string;
  readonly email: string;
  readonly password: string;
}

/** The key by which names and addresses are unique. */
export function uniqueKey(text: string): string {
  return folded(text.trim());
}

/** An account with a password, or one that another plugin vouches for. */
type CheckedAccount = Pick<NewAccount, 'username' | 'email'> & Partial<NewAccount>;

/** The faults of an account, by field, for accounts that no route has validated. */
export function accountErrors({
  username,
  email,
  password,
}: CheckedAccount): Partial<Record<keyof NewAccount, string>> {
  const wrong = password === undefined ? undefined : passwordError(password);
  return {
    ...(!new RegExp(USERNAME_PATTERN, 'u').test(username) && {
      username: 'must be letters, digits and . _ @ + -',
    }),
    ...(!new RegExp(EMAIL_PATTERN, 'u').test(email) && { email: 'must be an e-mail address' }),
    ...(wrong !== undefined && { password: wrong }),
  };
}

/** What is wrong with a password; `undefined` for nothing. */
export function passwordError(password: string): string | undefined {
  const { length } = [...password];
  const fits = length >= SHORTEST_PASSWORD && length <= LONGEST_PASSWORD;
  return fits ? undefined : `must have ${SHORTEST_PASSWORD} to ${LONGEST_PASSWORD} characters`;
}

/** Throws `ValidationFailed` with all faults of an account. */
export function checkNewAccount(account: CheckedAccount): void {
  const wrong = Object.entries(accountErrors(account));
  if (wrong.length === 0) return;
  const sentence = wrong
    .map(([field, message]) => `${field} ${message}${given(account, field as keyof NewAccount)}`)
    .join('; ');
  const errors = wrong.map(([field, message]) => ({ pointer: `/${field}`, message }));
  throw ValidationFailed(`The account is not acceptable: ${sentence}.`, { errors });
}

/** What was given, but never a password. */
function given(account: CheckedAccount, field: keyof NewAccount): string {
  return field === 'password' ? '' : `, and is "${account[field]}"`;
}
