import { token } from '../../core/index.ts';
import type { CheckState, VersionCheck, VersionChecks } from './contract.ts';
import type { CatalogueReader } from './reader.ts';
import type { AlgorithmAnswer, VersionAnswer } from './schemas.ts';
import type { DefaultVersions } from './search.ts';

const UNCHECKED: VersionCheck = { state: 'unchecked', since: null };
const KNOWN = ['working', 'broken'] as const;

/** Marks answers with what the checks of versions say, where a plugin checks them; of an algorithm the default version counts. */
export class CheckMarks {
  readonly #checks: VersionChecks | undefined;
  readonly #reader: CatalogueReader;

  constructor(deps: { checks: readonly VersionChecks[]; reader: CatalogueReader }) {
    [this.#checks] = deps.checks;
    this.#reader = deps.reader;
  }

  async onVersions(versions: readonly VersionAnswer[]): Promise<VersionAnswer[]> {
    const known = await this.#checks?.of(versions.map(({ id }) => id));
    return versions.map((version) =>
      known ? { ...version, check: known.get(version.id) ?? UNCHECKED } : version,
    );
  }

  async onVersion(version: VersionAnswer): Promise<VersionAnswer> {
    const [marked] = await this.onVersions([version]);
    return marked!;
  }

  /** An algorithm that is shown with its versions. */
  async onAlgorithm(algorithm: AlgorithmAnswer): Promise<AlgorithmAnswer> {
    if (!this.#checks) return algorithm;
    const versions = await this.onVersions(algorithm.versions);
    const check = versions.find(({ is_default }) => is_default)?.check ?? UNCHECKED;
    return { ...algorithm, check, versions };
  }

  /** Algorithms of a list, which have no versions there. */
  async onList(algorithms: readonly AlgorithmAnswer[]): Promise<AlgorithmAnswer[]> {
    if (!this.#checks) return [...algorithms];
    const defaults = await this.#reader.defaultVersions(algorithms.map(({ id }) => id));
    const known = await this.#checks.of([...defaults.values()]);
    return algorithms.map((algorithm) => ({
      ...algorithm,
      check: known.get(defaults.get(algorithm.id) ?? '') ?? UNCHECKED,
    }));
  }

  /** The default versions of the algorithms in any of these states; `undefined` for all. */
  async inStates(states: readonly CheckState[] | undefined): Promise<DefaultVersions | undefined> {
    if (states === undefined) return undefined;
    const areLeftOut = states.includes('unchecked');
    const named = KNOWN.filter((state) => states.includes(state) !== areLeftOut);
    return { ids: (await Promise.all(named.map((state) => this.#inState(state)))).flat(), areLeftOut };
  }

  /** The default versions by state; `undefined` where no plugin checks versions. */
  async byState(): Promise<Readonly<Record<'working' | 'broken', readonly string[]>> | undefined> {
    if (!this.#checks) return undefined;
    return { working: await this.#inState('working'), broken: await this.#inState('broken') };
  }

  async #inState(state: 'working' | 'broken'): Promise<readonly string[]> {
    return (await this.#checks?.inState(state)) ?? [];
  }
}

export const CHECK_MARKS = token<CheckMarks>('catalogue:check-marks');
