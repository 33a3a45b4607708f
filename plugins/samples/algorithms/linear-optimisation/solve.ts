import { solve, type Constraint } from 'yalps';
import type { InputOf } from '../../describing/about.ts';
import type { about } from './about.ts';

type Problem = InputOf<typeof about>;

export interface Solution {
  readonly status: 'optimal' | 'infeasible' | 'unbounded' | 'gave up';
  /** Empty where there is no solution. */
  readonly values: ReadonlyMap<string, number>;
}

const OBJECTIVE = 'objective';
/** Branches, not milliseconds: the same problem has the same answer on any machine. */
const MOST_BRANCHES = 20_000;

/** Every variable that is named anywhere, in the order in which it first is. */
export function variablesOf({ objective, constraints }: Problem): string[] {
  return [
    ...new Set([objective, ...constraints.map(({ terms }) => terms)].flatMap((terms) => Object.keys(terms))),
  ];
}

export function solved(problem: Problem): Solution {
  const bounds = problem.constraints.map((constraint, i) => [rowName(i), boundOf(constraint)] as const);
  const columns = variablesOf(problem).map((name) => [name, columnOf(name, problem)] as const);
  const { status, result, variables } = solve(
    {
      direction: problem.goal === 'maximise' ? 'maximize' : 'minimize',
      objective: OBJECTIVE,
      constraints: bounds,
      variables: columns,
      integers: problem.whole ?? [],
    },
    {
      checkCycles: true,
      includeZeroVariables: true,
      timeout: Infinity,
      maxIterations: MOST_BRANCHES,
      tolerance: 0,
    },
  );
  if (status === 'infeasible' || status === 'unbounded') return { status, values: new Map() };
  const found = Number.isFinite(result) ? new Map(variables) : new Map<string, number>();
  return { status: status === 'optimal' ? 'optimal' : 'gave up', values: found };
}

function rowName(constraint: number): string {
  return `constraint ${constraint}`;
}

function boundOf({ relation, value }: Problem['constraints'][number]): Constraint {
  if (relation === 'equal to') return { equal: value };
  return relation === 'at most' ? { max: value } : { min: value };
}

/** What one unit of a variable adds to the objective and to each constraint. */
function columnOf(name: string, { objective, constraints }: Problem): [string, number][] {
  const rows = constraints.map(({ terms }, i) => [rowName(i), coefficient(terms, name)] as [string, number]);
  return [[OBJECTIVE, coefficient(objective, name)], ...rows];
}

/** The number of a variable in a sum; names such as "constructor" must not find what every object has. */
export function coefficient(terms: Readonly<Record<string, number>>, name: string): number {
  return Object.hasOwn(terms, name) ? terms[name]! : 0;
}
