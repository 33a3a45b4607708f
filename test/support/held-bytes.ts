import { exposedCollector } from './collector.ts';

/** What is still in use once all garbage is collected, within V8's heap and beside it. */
export function heldBytes(): number {
  exposedCollector()();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
