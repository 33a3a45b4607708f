/** Rows and the number of the class of each. */
export interface Examples {
  readonly rows: readonly (readonly number[])[];
  readonly classes: readonly number[];
  readonly classCount: number;
}

/** A question: is the value of the column at most the threshold? */
export interface Split {
  readonly column: number;
  readonly threshold: number;
  /** By how much it lowers the impurity, times the rows it is asked of. */
  readonly gain: number;
}

const NO_GAIN = 1e-9;

/** The question that lowers the Gini impurity of these rows most; the first of equals. */
export function bestSplit(
  examples: Examples,
  members: readonly number[],
  minLeaf: number,
): Split | undefined {
  let best: Split | undefined;
  for (let column = 0; column < examples.rows[0]!.length; column++) {
    const found = bestInColumn(examples, members, column, minLeaf);
    if (found && found.gain > (best?.gain ?? NO_GAIN) + NO_GAIN) best = found;
  }
  return best;
}

/** How often each class occurs among rows. */
export function classCounts({ classes, classCount }: Examples, members: readonly number[]): number[] {
  const counts = Array<number>(classCount).fill(0);
  for (const row of members) counts[classes[row]!]!++;
  return counts;
}

/** Goes through the values in order, moving one row after the other from the right to the left. */
function bestInColumn(
  examples: Examples,
  members: readonly number[],
  column: number,
  minLeaf: number,
): Split | undefined {
  const valueOf = (row: number) => examples.rows[row]![column]!;
  const ordered = [...members].sort((a, b) => valueOf(a) - valueOf(b));
  const left = Array<number>(examples.classCount).fill(0);
  const right = classCounts(examples, members);
  const before = weightedGini(right, ordered.length);
  let best: Split | undefined;
  for (let taken = 1; taken < ordered.length; taken++) {
    const moved = examples.classes[ordered[taken - 1]!]!;
    left[moved]!++;
    right[moved]!--;
    const [low, high] = [valueOf(ordered[taken - 1]!), valueOf(ordered[taken]!)];
    if (low === high || taken < minLeaf || ordered.length - taken < minLeaf) continue;
    const gain = before - weightedGini(left, taken) - weightedGini(right, ordered.length - taken);
    if (!best || gain > best.gain + NO_GAIN) best = { column, threshold: between(low, high), gain };
  }
  return best;
}

/** Halfway in twelve digits, unless rounding leaves the gap. */
function between(low: number, high: number): number {
  const middle = Number((low + (high - low) / 2).toPrecision(12));
  return middle >= low && middle < high ? middle : low;
}

/** Gini impurity times the number of rows. */
function weightedGini(counts: readonly number[], total: number): number {
  return total - counts.reduce((sum, count) => sum + count * count, 0) / total;
}
