import { seededRandom, shuffledIndexes } from '../../statistics/random.ts';
import { grow, predict, type TreeLimits, type TreeNode } from './tree.ts';
import type { Examples } from './split.ts';

const PARTS = 5;
const FEWEST_ROWS = 10;

/** Share of rows that a tree labels rightly. */
export function accuracyOn(tree: TreeNode, { rows, classes }: Examples, members: readonly number[]): number {
  return members.filter((row) => predict(tree, rows[row]!) === classes[row]).length / members.length;
}

/** Mean accuracy on rows that the tree has not seen: each fifth is judged by a tree of the other four. */
export function crossValidated(examples: Examples, limits: TreeLimits, seed: number): number | null {
  const size = examples.rows.length;
  if (size < FEWEST_ROWS) return null;
  const order = shuffledIndexes(size, seededRandom(seed));
  let right = 0;
  for (let part = 0; part < PARTS; part++) {
    const held = order.filter((_, i) => i % PARTS === part);
    const tree = grow(
      examples,
      order.filter((_, i) => i % PARTS !== part),
      limits,
    );
    right += accuracyOn(tree, examples, held) * held.length;
  }
  return right / size;
}
