import { token } from '../../../core/index.ts';
import type { NamedLimit } from '../rules/rule-book.ts';
import type { Allowances } from './allowances.ts';
import type { Taken } from './limit-headers.ts';

/** Spends several limits together: all of them, or none. */
export class Limits {
  readonly #allowances: Allowances;

  constructor({ allowances }: { readonly allowances: Allowances }) {
    this.#allowances = allowances;
  }

  /** What is left of each limit as far as this instance knows, without spending and without asking the store. */
  known(limits: readonly NamedLimit[]): readonly Taken[] {
    return limits.map((limit) => ({ limit, grant: this.#allowances.known(limit) }));
  }

  /** Takes a request from each limit. When one is used up, it is the last of the result, and nothing is taken. */
  async take(limits: readonly NamedLimit[]): Promise<readonly Taken[]> {
    const taken: Taken[] = [];
    for (const limit of limits) {
      const grant = await this.#allowances.take(limit);
      if (!grant.allowed) return [...this.giveBack(taken), { limit, grant }];
      taken.push({ limit, grant });
    }
    return taken;
  }

  /** Returns requests that were taken and not made; answers the updated grants. */
  giveBack(taken: readonly Taken[]): readonly Taken[] {
    return taken.map(({ limit, grant }) => ({ limit, grant: this.#allowances.giveBack(limit, grant) }));
  }
}

export const LIMITS = token<Limits>('gateway:limits');
