import type { InputOf, OutputOf, ParamsOf } from '../../describing/about.ts';
import { embedded } from '../../describing/embedded.ts';
import { InputRejected } from '../../input-rejected.ts';
import { expectOneForEachRow, tableOf } from '../../statistics/table.ts';
import { about } from './about.ts';
import { accuracyOn, crossValidated } from './accuracy.ts';
import { importancesOf, listed, rulesOf } from './listing.ts';
import { classCounts } from './split.ts';
import { grow } from './tree.ts';

const MOST_LABELS = 20;

export function run(input: InputOf<typeof about>, params: ParamsOf<typeof about>): OutputOf<typeof about> {
  const table = tableOf(input.rows, input.names);
  expectOneForEachRow(input.labels, table, 'labels');
  const labels = acceptableLabels(input.labels);
  const examples = {
    rows: table.rows,
    classes: input.labels.map((label) => labels.indexOf(label)),
    classCount: labels.length,
  };
  const everyRow = table.rows.map((_, row) => row);
  const limits = { maxDepth: params.max_depth, minLeaf: params.min_leaf };
  const tree = grow(examples, everyRow, limits);
  const words = { columns: table.names, labels };
  return {
    rules: rulesOf(tree, words),
    nodes: listed(tree, words),
    importances: importancesOf(tree, words),
    training_accuracy: accuracyOn(tree, examples, everyRow),
    cross_validated_accuracy: crossValidated(examples, limits, params.seed),
    baseline_accuracy: Math.max(...classCounts(examples, everyRow)) / everyRow.length,
  };
}

/** The different labels, in the order in which they first occur. */
function acceptableLabels(given: readonly string[]): string[] {
  const labels = [...new Set(given)];
  if (labels.length < 2)
    throw new InputRejected(`All labels are "${labels[0]}", so there is nothing to tell apart.`);
  if (labels.length > MOST_LABELS) {
    throw new InputRejected(
      `There are ${labels.length} different labels; at most ${MOST_LABELS} are accepted.`,
    );
  }
  return labels;
}

export default embedded(about, run);
