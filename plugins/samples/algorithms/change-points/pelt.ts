/**
 * The division of a series into stretches with the smallest squared deviations from their means, plus `penalty` for each
 * change (Killick et al., 2012). Answers where stretches after the first begin, from 0. Exact: what is left out of the
 * search cannot become best.
 */
export function pelt(series: readonly number[], penalty: number, minLength: number): number[] {
  const cost = deviationCost(series);
  const best = [-penalty];
  const cameFrom = [0];
  let candidates = [0];
  for (let end = 1; end <= series.length; end++) {
    const open = candidates.filter((start) => end - start >= minLength);
    const totals = open.map((start) => best[start]! + cost(start, end) + penalty);
    const lowest = totals.reduce((low, total) => Math.min(low, total), Infinity);
    best.push(lowest);
    cameFrom.push(open[totals.indexOf(lowest)] ?? 0);
    candidates = candidates.filter(
      (start) => end - start < minLength || best[start]! + cost(start, end) <= lowest,
    );
    candidates.push(end);
  }
  return traced(cameFrom, series.length);
}

/** Squared deviations from the mean of `start` up to `end`, from running sums. */
function deviationCost(series: readonly number[]): (start: number, end: number) => number {
  const sums = [0];
  const squares = [0];
  series.forEach((value, i) => {
    sums.push(sums[i]! + value);
    squares.push(squares[i]! + value * value);
  });
  return (start, end) => {
    const sum = sums[end]! - sums[start]!;
    return Math.max(0, squares[end]! - squares[start]! - (sum * sum) / (end - start));
  };
}

function traced(cameFrom: readonly number[], length: number): number[] {
  const changes: number[] = [];
  for (let start = cameFrom[length]!; start > 0; start = cameFrom[start]!) changes.unshift(start);
  return changes;
}
