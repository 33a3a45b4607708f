import type { InputOf, OutputOf } from '../../describing/about.ts';
import { embedded } from '../../describing/embedded.ts';
import { InputRejected } from '../../input-rejected.ts';
import { about } from './about.ts';
import { coefficient, solved, variablesOf } from './solve.ts';

type Input = InputOf<typeof about>;
type Output = OutputOf<typeof about>;
type Values = ReadonlyMap<string, number>;

const MOST_VARIABLES = 60;
/** How far a sum may be from its limit, relative to their size. */
const PRECISION = 1e-6;

export function run(input: Input): Output {
  refuseUnfit(input);
  const { status, values } = solved(input);
  if (values.size === 0) return { status, objective: null, variables: [], constraints: [] };
  return {
    status,
    objective: sumOf(input.objective, values),
    variables: [...values].map(([name, value]) => ({ name, value })),
    constraints: input.constraints.map((constraint, i) => judged(constraint, i, values)),
  };
}

function refuseUnfit(input: Input): void {
  const known = variablesOf(input);
  if (known.length > MOST_VARIABLES) {
    throw new InputRejected(`There are ${known.length} variables; at most ${MOST_VARIABLES} are accepted.`);
  }
  const stranger = input.whole?.find((name) => !known.includes(name));
  if (stranger !== undefined) {
    throw new InputRejected(
      `"${stranger}" shall be whole, but stands in neither the objective nor a constraint.`,
    );
  }
}

function sumOf(terms: Readonly<Record<string, number>>, values: Values): number {
  return [...values].reduce((sum, [name, value]) => sum + coefficient(terms, name) * value, 0);
}

/** A constraint with the sum that it came to. A sum beyond its limit would be a fault of the solver. */
function judged(
  { name, terms, relation, value: limit }: Input['constraints'][number],
  i: number,
  values: Values,
) {
  const sum = sumOf(terms, values);
  const precision = PRECISION * Math.max(1, Math.abs(limit), Math.abs(sum));
  const over = relation === 'at least' ? limit - sum : sum - limit;
  const holds = (relation === 'equal to' ? Math.abs(over) : over) <= precision;
  if (!holds) {
    throw new InputRejected('The numbers differ too much in size to be calculated with. Use other units.');
  }
  const slack = Math.abs(limit - sum);
  return { name: name ?? `constraint ${i + 1}`, sum, limit, slack, binding: slack <= precision };
}

export default embedded(about, run);
