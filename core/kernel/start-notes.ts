import { extensionPoint } from '../di/token.ts';
import type { Logger } from '../telemetry/logger.ts';

/** A line for the terminal at the end of the start, such as an address or a first step. */
export interface StartNote {
  /** The line, or `undefined` for none. `rootUrl` is the address of what is not below the base path, such as pages. */
  text(rootUrl: string): string | undefined | Promise<string | undefined>;
}

/** Lines printed at the end of the start, in order. */
export const START_NOTES = extensionPoint<StartNote>('core:start-notes', { methods: ['text'] });

/** Collects the lines. A note that fails is logged and omitted, because the service is already running. */
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
