import type { Engine } from '../persistence/database.ts';

/** The engines that every test of persistence runs on. */
export const engines: readonly Engine[] = ['sqlite', 'postgres'];

declare const describe: (title: string, tests: () => void) => void;

/** One `describe` per engine, for mocha, jest, vitest and others that have a global `describe`. */
export function onEveryEngine(tests: (engine: Engine) => void): void {
  for (const engine of engines) describe(`on ${engine}`, () => tests(engine));
}
