import { bestSplit, classCounts, type Examples, type Split } from './split.ts';

/** A node of a learned tree; a leaf has no question. */
export interface TreeNode {
  readonly depth: number;
  readonly counts: readonly number[];
  /** The class that is most common here. */
  readonly prediction: number;
  readonly question?: { readonly split: Split; readonly left: TreeNode; readonly right: TreeNode };
}

export interface TreeLimits {
  readonly maxDepth: number;
  readonly minLeaf: number;
}

/** Learns a tree from some of the rows. */
export function grow(
  examples: Examples,
  members: readonly number[],
  limits: TreeLimits,
  depth = 0,
): TreeNode {
  const counts = classCounts(examples, members);
  const leaf = { depth, counts, prediction: counts.indexOf(Math.max(...counts)) };
  const split = depth < limits.maxDepth ? bestSplit(examples, members, limits.minLeaf) : undefined;
  if (!split) return leaf;
  const goesLeft = (row: number) => examples.rows[row]![split.column]! <= split.threshold;
  const left = grow(examples, members.filter(goesLeft), limits, depth + 1);
  const right = grow(
    examples,
    members.filter((row) => !goesLeft(row)),
    limits,
    depth + 1,
  );
  return { ...leaf, question: { split, left, right } };
}

/** The class that a tree gives a row. */
export function predict(node: TreeNode, row: readonly number[]): number {
  if (!node.question) return node.prediction;
  const { split, left, right } = node.question;
  return predict(row[split.column]! <= split.threshold ? left : right, row);
}
