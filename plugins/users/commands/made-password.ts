import { randomSecret, ValidationFailed } from '../../../core/index.ts';
import { isWellKnown } from '../well-known-passwords.ts';

/** A password of a command line: the one that was given, or a new one that is printed once. */
export interface CommandPassword {
  readonly password: string;
  /** The sentence that shows a new one, with a space before it; empty for a given one. */
  readonly sentence: string;
  /** For `--json`: a new one. */
  readonly data: { readonly password?: string };
}

/** Throws `ValidationFailed` for one that everybody tries first. */
export function passwordFrom(option: unknown, username: string): CommandPassword {
  if (typeof option !== 'string') {
    const password = randomSecret(18).toString('base64url');
    return { password, sentence: ` Its password is ${password} and is not shown again.`, data: { password } };
  }
  if (isWellKnown(option, username)) {
    throw ValidationFailed('The password is one of those that everybody tries first. Choose another one.');
  }
  return { password: option, sentence: '', data: {} };
}
