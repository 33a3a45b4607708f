import type { Engine } from '../persistence/database.ts';

/** The engines on which every test of persistence runs. */
export const engines: readonly Engine[] = ['sqlite', 'postgres'];

declare const describe: (title: string, tests: () => void) => void;

/** Defines one `describe` per engine, for mocha, jest, vitest and other runners with a global `describe`. */
export function onEveryEngine(tests: (engine: Engine) => void): void {
  for (const engine of engines) describe(`on ${engine}`, () => tests(engine));
}
