import { Forbidden, token, type Author, type Principal, type UserPrincipal } from '../../core/index.ts';
import {
  demandCovered,
  readerOf,
  type AlgorithmRights,
  type AlgorithmVersion,
  type Catalogue,
  type CallableVersion,
} from '../catalogue/contract.ts';
import { DEFAULT_VERSION } from '../invocation/contract.ts';
import type { CheckStore } from './check-store.ts';
import type { ChecksSettings } from './config.ts';
import { NothingToCheck } from './problems.ts';
import { whyUncheckable, type CheckedVersion, type CheckRunAnswer } from './schemas.ts';
import type { VersionChecker } from './version-checker.ts';

export interface CheckServiceDeps {
  readonly catalogue: Catalogue;
  readonly rights: AlgorithmRights;
  readonly checker: VersionChecker;
  readonly store: CheckStore;
  readonly settings: ChecksSettings;
}

/** The ids of a path. */
interface Asked {
  readonly algorithm_id: string;
  /** `default` stands for the default version. */
  readonly version_id: string;
}

/** What requests ask about checks. Algorithms that a caller may not see are unknown to all methods. */
export class CheckService {
  readonly #deps: CheckServiceDeps;

  constructor(deps: CheckServiceDeps) {
    this.#deps = deps;
  }

  /** What the last check of a version says, or why there is none. */
  async find(asked: Asked, principal: Principal): Promise<CheckedVersion> {
    const { version, algorithm } = await this.#callable(asked, readerOf(principal));
    const covered = principal.kind === 'user' ? principal.resources : undefined;
    demandCovered(covered, algorithm.id, `algorithm "${algorithm.name}"`);
    const ids = { algorithm_id: version.algorithm_id, version_id: version.id };
    const row = await this.#deps.store.state(version.id);
    const checked_at = row?.checked_at ?? null;
    if (row && row.state !== 'unchecked')
      return { ...ids, state: row.state, since: row.since, checked_at, reason: null };
    const exampled = await this.#exampled(version);
    const waiting = this.#deps.settings.scheduled ? 'waiting' : 'off';
    const reason = algorithm.status === 'inactive' ? 'inactive' : (whyUncheckable(exampled) ?? waiting);
    return { ...ids, state: 'unchecked', since: null, checked_at, reason };
  }

  /** The last checks of a version, for those who manage it. */
  async runs(asked: Asked, principal: UserPrincipal): Promise<CheckRunAnswer[]> {
    const { version } = await this.#managed(asked, principal);
    return await this.#deps.store.runs(version.id);
  }

  /** Checks a version now. Throws `NothingToCheck`. */
  async check(
    asked: Asked,
    principal: UserPrincipal,
    { signal, by }: { readonly signal: AbortSignal; readonly by: Author },
  ): Promise<CheckRunAnswer> {
    const { version, algorithm } = await this.#managed(asked, principal);
    const exampled = await this.#exampled(version);
    if (exampled === undefined || whyUncheckable({ ...exampled, status: 'active' })) {
      throw NothingToCheck(
        `The version "${version.version}" of "${algorithm.name}" has no example that it accepts and that says what output is expected.`,
      );
    }
    return await this.#deps.checker.check(exampled, signal, by);
  }

  async #exampled({ id, algorithm_id }: AlgorithmVersion) {
    const versions = await this.#deps.catalogue.exampledVersions(algorithm_id);
    return versions.find(({ version_id }) => version_id === id);
  }

  async #managed(asked: Asked, principal: UserPrincipal): Promise<CallableVersion> {
    const found = await this.#callable(asked, principal);
    if (await this.#deps.rights.may(principal, found.algorithm, 'manage')) return found;
    throw Forbidden(
      'Only administrators and those who manage the algorithm may run its checks and read their results.',
    );
  }

  async #callable({ algorithm_id, version_id }: Asked, viewer: Principal): Promise<CallableVersion> {
    const { catalogue } = this.#deps;
    return version_id === DEFAULT_VERSION
      ? await catalogue.defaultCallable(algorithm_id, viewer)
      : await catalogue.callable(algorithm_id, version_id, viewer);
  }
}

export const CHECK_SERVICE = token<CheckService>('checks:check-service');
