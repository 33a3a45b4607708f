import { token } from '../../core/index.ts';
import { listedAnswer } from './answers.ts';
import type { CallFigures } from './call-figures.ts';
import type { CheckMarks } from './check-marks.ts';
import type { Algorithm } from './contract.ts';
import type { FacetCounts } from './facets.ts';
import type { CatalogueReader, ListedFilter } from './reader.ts';
import type { AlgorithmFilter, AlgorithmListAnswer } from './schemas.ts';
import type { ListedAlgorithms } from './search.ts';

const BY_CALLS = /^-?(calls|success)$/;

interface Page {
  readonly algorithms: readonly Algorithm[];
  readonly total: number;
}

/** Reads lists of algorithms, with counts and figures where they are asked for. */
export class AlgorithmLists {
  readonly #reader: CatalogueReader;
  readonly #facets: FacetCounts;
  readonly #figures: CallFigures;
  readonly #marks: CheckMarks;

  constructor(deps: {
    reader: CatalogueReader;
    facets: FacetCounts;
    figures: CallFigures;
    marks: CheckMarks;
  }) {
    this.#reader = deps.reader;
    this.#marks = deps.marks;
    this.#facets = deps.facets;
    this.#figures = deps.figures;
  }

  /** Whether the list changes with every call. */
  hasCalls({ sort, stats }: AlgorithmFilter): boolean {
    return stats === true || BY_CALLS.test(sort);
  }

  async read(asked: AlgorithmFilter, listed: ListedAlgorithms): Promise<AlgorithmListAnswer> {
    const filter = { ...asked, defaults: await this.#marks.inStates(asked.check) };
    const [{ algorithms, total }, facets] = await Promise.all([
      BY_CALLS.test(filter.sort) ? this.#byCalls(filter, listed) : this.#reader.list(filter, listed),
      filter.facets ? this.#facets.of(filter, listed) : undefined,
    ]);
    const answers = await this.#marks.onList(algorithms.map(listedAnswer));
    if (filter.stats) {
      const stats = await this.#figures.of(algorithms.map(({ id }) => id));
      for (const answer of answers) answer.stats = stats?.get(answer.id) ?? null;
    }
    return { algorithms: answers, total, ...(facets && { facets }) };
  }

  async #byCalls(filter: ListedFilter, listed: ListedAlgorithms): Promise<Page> {
    const { sort, skip, limit } = filter;
    const ids = await this.#figures.sorted(await this.#reader.matching(filter, listed), sort);
    return { algorithms: await this.#reader.inOrder(ids.slice(skip, skip + limit)), total: ids.length };
  }
}

export const LISTS = token<AlgorithmLists>('catalogue:lists');
