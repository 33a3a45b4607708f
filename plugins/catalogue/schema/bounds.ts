export const MAX_BYTES = 64 * 1024;
export const MAX_DEPTH = 32;
export const MAX_PARTS = 2_000;

/** Describes the bound that a JSON value exceeds; `undefined` when it exceeds none. Stops at the bounds. */
export function brokenBound(value: unknown): string | undefined {
  const open: { part: unknown; depth: number }[] = [{ part: value, depth: 1 }];
  let parts = 1;
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (next.part === null || typeof next.part !== 'object') continue;
    if (next.depth > MAX_DEPTH) return `is more than ${MAX_DEPTH} levels deep; make it flatter.`;
    const inside = Object.values(next.part);
    parts += inside.length;
    if (parts > MAX_PARTS) return `has more than ${MAX_PARTS} parts; make it smaller.`;
    for (const part of inside) open.push({ part, depth: next.depth + 1 });
  }
  if (Buffer.byteLength(JSON.stringify(value)) > MAX_BYTES) {
    return `is longer than ${MAX_BYTES / 1024} kB as JSON; make it shorter.`;
  }
  return undefined;
}
