import {
  isId,
  networkMatcher,
  Problem,
  token,
  ValidationFailed,
  type UserPrincipal,
} from '../../../core/index.ts';
import type { KeyOwners } from '../../api-keys/contract.ts';
import type { Catalogue } from '../../catalogue/contract.ts';
import type { Accounts } from '../../users/contract.ts';
import type { BlockSubject } from './rule-book.ts';

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
  async check(subject: BlockSubject, value: string, pointer: string): Promise<void> {
    const refuse = (message: string) =>
      ValidationFailed(`The subject does not exist: "${value}" ${message}.`, {
        errors: [{ pointer, message: `${message}.` }],
      });
    if (subject === 'network') {
      if (!networkMatcher([value])) throw refuse('must be an IP address or a network such as 192.0.2.0/24');
      return;
    }
    if (!isId(value)) throw refuse('must be an identifier');
    const { catalogue, accounts, keys } = this.#deps;
    if (subject === 'algorithm') await catalogue.algorithm(value);
    if (subject === 'user' && accounts && !(await accounts.find(value))) {
      throw refuse('must be the identifier of a user');
    }
    if (subject === 'api_key' && keys && (await keys.ownerOf(value)) === undefined) {
      throw refuse('must be the identifier of an API key');
    }
  }

  /**
   * The id of the algorithm for the rules. Empty when the algorithm does not exist for the caller, so that its block
   * rules, policies and routes tell nothing of it. No promise when the algorithm is cached.
   */
  visibleAlgorithm(viewer: UserPrincipal, algorithmId: string): string | Promise<string> {
    if (algorithmId === '') return '';
    const seen = this.#deps.catalogue.algorithm(algorithmId, viewer);
    return seen instanceof Promise ? unlessMissing(seen.then(() => algorithmId)) : algorithmId;
  }

  /** The same for a version; the circuit of a version tells of it. */
  async visibleVersion(viewer: UserPrincipal, versionId: string): Promise<string> {
    const seen = this.#deps.catalogue.callableByVersion(versionId, viewer);
    return unlessMissing(seen.then(() => versionId));
  }

  /** The owner of an API key; `undefined` for an unknown key and without the plugin `api-keys`. */
  async ownerOf(keyId: string): Promise<string | undefined> {
    return this.#deps.keys?.ownerOf(keyId);
  }
}

async function unlessMissing(id: Promise<string>): Promise<string> {
  try {
    return await id;
  } catch (error) {
    if (error instanceof Problem && error.status === 404) return '';
    throw error;
  }
}

export const RULE_SUBJECTS = token<RuleSubjects>('gateway:rule-subjects');
