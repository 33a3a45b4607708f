import type { InputOf, OutputOf, ParamsOf } from '../../describing/about.ts';
import { embedded } from '../../describing/embedded.ts';
import { InputRejected } from '../../input-rejected.ts';
import { clustered, differentPoints } from '../../statistics/clusters.ts';
import { mean } from '../../statistics/moments.ts';
import { centred } from '../../statistics/standardise.ts';
import { tableOf, type Table } from '../../statistics/table.ts';
import { about } from './about.ts';
import { silhouettes } from './silhouette.ts';

type Params = ParamsOf<typeof about>;

export function run(input: InputOf<typeof about>, params: Params): OutputOf<typeof about> {
  const table = tableOf(input.rows, input.names);
  const points = preparedPoints(table, params);
  const { groups, inertia, converged } = clustered(points, params.k, params.seed, params.starts);
  const numbers = numbersBySize(groups, params.k);
  const scores = params.k > 1 ? silhouettes(points, groups, params.k) : undefined;
  const members = (cluster: number) =>
    groups.flatMap((group, row) => (numbers[group] === cluster ? [row] : []));
  return {
    clusters: Array.from({ length: params.k }, (_, i) =>
      describeCluster(i + 1, members(i + 1), table, scores),
    ),
    points: table.rows.map((row, i) => ({
      row: i + 1,
      cluster: numbers[groups[i]!]!,
      x: row[0]!,
      y: row[1] ?? 0,
    })),
    inertia,
    silhouette: scores ? mean(scores) : null,
    converged,
  };
}

function preparedPoints(table: Table, { k, standardise }: Params): number[][] {
  const different = differentPoints(table.rows);
  if (different < k) {
    throw new InputRejected(
      `Only ${different} of the rows differ from each other, too few for ${k} groups. Ask for fewer.`,
    );
  }
  return standardise ? centred(table, { scaled: true, freedom: 0 }) : table.rows;
}

/** Groups are numbered from 1 by size, so that the numbers mean the same whatever the start. */
function numbersBySize(groups: readonly number[], k: number): number[] {
  const sizes = Array.from({ length: k }, (_, group) => groups.filter((g) => g === group).length);
  const first = Array.from({ length: k }, (_, group) => groups.indexOf(group));
  const order = sizes.map((_, group) => group).sort((a, b) => sizes[b]! - sizes[a]! || first[a]! - first[b]!);
  return sizes.map((_, group) => order.indexOf(group) + 1);
}

function describeCluster(
  cluster: number,
  members: readonly number[],
  { rows, names }: Table,
  scores?: readonly number[],
) {
  const centre = names.map(
    (name, column) => [name, mean(members.map((row) => rows[row]![column]!))] as const,
  );
  const silhouette = scores && members.length > 0 ? mean(members.map((row) => scores[row]!)) : null;
  return { cluster, size: members.length, centre: Object.fromEntries(centre), silhouette };
}

export default embedded(about, run);
