import type { OutputOf } from '../../describing/about.ts';
import type { about } from './about.ts';
import type { TreeNode } from './tree.ts';

type Output = OutputOf<typeof about>;

/** What the numbers in a tree stand for. */
export interface TreeWords {
  readonly columns: readonly string[];
  readonly labels: readonly string[];
}

/** The nodes in the order in which they are met, each before its branches. */
export function listed(tree: TreeNode, words: TreeWords): Output['nodes'] {
  const order = inOrder(tree);
  const numbers = new Map(order.map((node, i) => [node, i + 1]));
  return order.map((node, i) => ({
    node: i + 1,
    depth: node.depth,
    column: node.question ? words.columns[node.question.split.column]! : null,
    threshold: node.question?.split.threshold ?? null,
    left: node.question ? numbers.get(node.question.left)! : null,
    right: node.question ? numbers.get(node.question.right)! : null,
    ...verdictOf(node, words),
  }));
}

/** The leaves as sentences. */
export function rulesOf(
  tree: TreeNode,
  words: TreeWords,
  conditions: readonly string[] = [],
): Output['rules'] {
  if (!tree.question) return [{ rule: conditions.join(' and ') || 'always', ...verdictOf(tree, words) }];
  const { split, left, right } = tree.question;
  const subject = words.columns[split.column]!;
  return [
    ...rulesOf(left, words, [...conditions, `${subject} ≤ ${split.threshold}`]),
    ...rulesOf(right, words, [...conditions, `${subject} > ${split.threshold}`]),
  ];
}

/** How much each column lowers the impurity, as shares of the whole. */
export function importancesOf(tree: TreeNode, { columns }: TreeWords): Output['importances'] {
  const splits = inOrder(tree).flatMap(({ question }) => (question ? [question.split] : []));
  const total = splits.reduce((sum, { gain }) => sum + gain, 0);
  const gained = (column: number) =>
    splits.reduce((sum, split) => (split.column === column ? sum + split.gain : sum), 0);
  return columns
    .map((column, i) => ({ column, importance: total > 0 ? gained(i) / total : 0 }))
    .sort((a, b) => b.importance - a.importance);
}

function inOrder(node: TreeNode): TreeNode[] {
  return node.question ? [node, ...inOrder(node.question.left), ...inOrder(node.question.right)] : [node];
}

function verdictOf({ counts, prediction }: TreeNode, { labels }: TreeWords) {
  const rows = counts.reduce((sum, count) => sum + count, 0);
  return { prediction: labels[prediction]!, rows, share: counts[prediction]! / rows };
}
