import type { Wiring } from '../di/container.ts';
import { extensionPoint } from '../di/token.ts';

/** A line for whoever starts the service at a terminal: where something is, or what to do first. */
export interface StartNote {
  /** `rootUrl` is the address without path. `undefined` when there is nothing to say. */
  says(rootUrl: string): string | undefined | Promise<string | undefined>;
}

/** Lines printed at the end of the start, in order. */
export const START_NOTES = extensionPoint<StartNote>('core:start-notes');

/** Asks everybody for their line. */
export async function startNotes(wiring: Wiring, rootUrl: string): Promise<readonly string[]> {
  const { notes } = wiring.resolve('core', { notes: START_NOTES }) as { notes: readonly StartNote[] };
  const said = await Promise.all(notes.map(async (note) => note.says(rootUrl)));
  return said.filter((line) => line !== undefined);
}
