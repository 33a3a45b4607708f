import { isIP } from 'node:net';
import { Forbidden, token, ValidationFailed, type UserPrincipal } from '../../core/index.ts';
import { callerOf, type Caller } from './rules/caller.ts';
import type { RuleSubjects } from './rules/rule-subjects.ts';
import type { CheckRequest } from './schemas.ts';

/** Whom a question about the rules is about: the one who asks, or somebody whom an administrator names. */
export class NamedCaller {
  readonly #subjects: RuleSubjects;

  constructor({ subjects }: { readonly subjects: RuleSubjects }) {
    this.#subjects = subjects;
  }

  /**
   * A key stands for its owner, who need not be named beside it. Throws `Forbidden` for one who asks about somebody else
   * and is no administrator, and `ValidationFailed` when there is no such user, key or address.
   */
  async of(principal: UserPrincipal, ownAddress: string, request: CheckRequest): Promise<Caller> {
    const { user_id, api_key_id, address = ownAddress, algorithm_id = '' } = request;
    const others = [user_id, api_key_id, request.address].some((value) => value !== undefined);
    if (others && principal.role !== 'admin') {
      throw Forbidden('Only administrators may ask about other users, keys and addresses. Leave them out.');
    }
    if (request.address !== undefined && (address.includes('%') || isIP(address) === 0)) {
      throw refused('address', `"${address}" must be one IP address`);
    }
    const own = callerOf(principal, address, algorithm_id);
    if (api_key_id !== undefined) return { ...own, ...(await this.#keyOf(api_key_id, user_id)) };
    if (user_id === undefined) return own;
    await this.#subjects.check('user', user_id, '/body/user_id');
    return { ...own, userId: user_id, apiKeyId: undefined };
  }

  async #keyOf(apiKeyId: string, userId: string | undefined): Promise<Pick<Caller, 'userId' | 'apiKeyId'>> {
    await this.#subjects.check('api_key', apiKeyId, '/body/api_key_id');
    const owner = (await this.#subjects.ownerOf(apiKeyId)) ?? userId;
    if (owner === undefined)
      throw refused('user_id', 'is needed beside the key, whose owner is not known here');
    if (userId !== undefined && userId !== owner) {
      throw refused('user_id', `"${userId}" must be the owner of the key: leave it out, or name ${owner}`);
    }
    return { userId: owner, apiKeyId };
  }
}

function refused(field: string, message: string): Error {
  return ValidationFailed(`Nobody can be judged by this: ${field} ${message}.`, {
    errors: [{ pointer: `/body/${field}`, message: `${message}.` }],
  });
}

export const NAMED_CALLER = token<NamedCaller>('gateway:named-caller');
