import {
  demandScope,
  isId,
  networkMatcher,
  token,
  ValidationFailed,
  type UserPrincipal,
} from '../../../core/index.ts';
import type { KeyOwners } from '../../api-keys/contract.ts';
import type { Catalogue } from '../../catalogue/contract.ts';
import type { Accounts } from '../../users/contract.ts';
import type { BlockRow } from '../models.ts';

export interface RuleSubjectsDeps {
  readonly catalogue: Catalogue;
  readonly accounts: Accounts | undefined;
  readonly keys: KeyOwners | undefined;
}

/**
 * Checks that the subject of a rule or of a dry run exists, because a mistake in a rule would otherwise be noticed too
 * late.
 */
export class RuleSubjects {
  readonly #deps: RuleSubjectsDeps;

  constructor(deps: RuleSubjectsDeps) {
    this.#deps = deps;
  }

  /** Throws `ValidationFailed` or `AlgorithmNotFound`. */
  async check(subject: BlockRow['subject'], value: string, pointer: string): Promise<void> {
    const refuse = (message: string) => ValidationFailed(message, { errors: [{ pointer, message }] });
    if (subject === 'network') {
      if (!networkMatcher([value])) {
        throw refuse(`"${value}" is not an IP address or a network such as 192.0.2.0/24.`);
      }
      return;
    }
    if (!isId(value)) throw refuse(`"${value}" is not a valid id.`);
    const { catalogue, accounts, keys } = this.#deps;
    if (subject === 'algorithm') await catalogue.algorithm(value);
    if (subject === 'user' && accounts && !(await accounts.find(value))) {
      throw refuse(`No user has the id "${value}".`);
    }
    if (subject === 'api_key' && keys && (await keys.ownerOf(value)) === undefined) {
      throw refuse(`No API key has the id "${value}".`);
    }
  }

  /** A user as the author of a call; an ordinary one without the plugin `users`. */
  async principalOf(userId: string): Promise<UserPrincipal> {
    const account = await this.#deps.accounts?.find(userId);
    const { username = '', role = 'user' } = account ?? {};
    return { kind: 'user', userId, username, role, via: 'token', credentialId: '' };
  }

  /**
   * The author of a call with an API key from an address; `undefined` for an unknown key and without the plugin `api-keys`.
   * Throws what the call would be refused with for the sake of the key.
   */
  async principalOfKey(keyId: string, address: string): Promise<UserPrincipal | undefined> {
    const principal = await this.#deps.keys?.principalOf(keyId, address);
    if (principal) demandScope(principal, 'call');
    return principal;
  }

  /** The owner of an API key; `undefined` for an unknown key and without the plugin `api-keys`. */
  async ownerOf(keyId: string): Promise<string | undefined> {
    return this.#deps.keys?.ownerOf(keyId);
  }
}

export const RULE_SUBJECTS = token<RuleSubjects>('gateway:rule-subjects');
