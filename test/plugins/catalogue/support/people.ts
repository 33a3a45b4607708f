import {
  contribute,
  CREDENTIAL_VERIFIERS,
  definePlugin,
  newId,
  service,
  type Role,
  type UserPrincipal,
} from '../../../../core/index.ts';
import { ACCOUNTS, type Account } from '../../../../plugins/users/contract.ts';

/** Somebody who signs in by sending `token`. */
export interface Person {
  readonly token: string;
  readonly id: string;
}

/** Stands in for the plugins that know accounts: whoever it made is known by a bearer token. */
export class People {
  readonly #principals = new Map<string, UserPrincipal>();
  readonly #accounts = new Map<string, Account>();

  readonly plugin = definePlugin({
    id: 'users',
    version: '1.0.0',
    api: '^1.0',
    summary: 'Accounts of a test',
    services: [
      service({ token: ACCOUNTS, deps: {}, create: () => ({ find: (id: string) => this.#accounts.get(id) }) }),
    ],
    contributes: [
      contribute(CREDENTIAL_VERIFIERS, {
        deps: {},
        create: () => ({
          name: 'test',
          verify: (source) => this.#principals.get(source.header('authorization')?.replace('Bearer ', '') ?? ''),
        }),
      }),
    ],
  });

  admin(): Person {
    return this.#make('admin', 'token');
  }

  user(): Person {
    return this.#make('user', 'token');
  }

  /** A key of the person: acts as its owner. */
  keyOf(person: Person): Person {
    const owner = this.#principals.get(person.token)!;
    const token = `key-${newId()}`;
    this.#principals.set(token, { ...owner, via: 'api-key' });
    return { token, id: person.id };
  }

  forget(person: Person): void {
    this.#accounts.delete(person.id);
  }

  #make(role: Role, via: UserPrincipal['via']): Person {
    const id = newId();
    const username = `${role}-${id}`;
    const token = `token-${id}`;
    this.#principals.set(token, { kind: 'user', userId: id, username, role, via, credentialId: newId() });
    this.#accounts.set(id, { id, username, email: `${id}@example.org`, role, status: 'active' });
    return { token, id };
  }
}
