const DEEPEST = 64;
const MOST_VALUES = 100_000;

/** Whether JSON stays within what the service itself accepts: a call with this data must not fail for its form. */
export function isBoundedJson(root: unknown): boolean {
  let values = 0;
  let level: unknown[] = [root];
  for (let depth = 0; level.length > 0; depth++) {
    values += level.length;
    if (depth > DEEPEST || values > MOST_VALUES) return false;
    level = level.flatMap((value) =>
      typeof value === 'object' && value !== null ? Object.values(value) : [],
    );
  }
  return true;
}
