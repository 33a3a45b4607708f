import { extensionPoint } from '../di/token.ts';
import type { Logger } from '../telemetry/logger.ts';

/** A line for the terminal at the end of the start: where something is, or what to do first. */
export interface StartNote {
  /** `rootUrl` is the address without path. `undefined` when there is nothing to say. */
  text(rootUrl: string): string | undefined | Promise<string | undefined>;
}

/** Lines printed at the end of the start, in order. */
export const START_NOTES = extensionPoint<StartNote>('core:start-notes');

/** Collects the lines. A note that fails is logged and left out, because the service serves already. */
export async function startNotes(
  notes: readonly StartNote[],
  rootUrl: string,
  logger: Logger,
): Promise<readonly string[]> {
  const lineOf = async (note: StartNote): Promise<string | undefined> => note.text(rootUrl);
  const logFailure = (error: unknown): undefined => {
    logger.warn({ err: error }, 'a note on the start failed');
  };
  const lines = await Promise.all(notes.map((note) => lineOf(note).catch(logFailure)));
  return lines.filter((line) => line !== undefined);
}
