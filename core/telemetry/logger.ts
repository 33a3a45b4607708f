import { token } from '../di/token.ts';

/** Structured log of one plugin: fields first, then a sentence. Secrets never go in. */
export interface Logger {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
  child(fields: object): Logger;
}

/** The logger of the plugin that asks: its lines carry the plugin's id. */
export const LOGGER = token<Logger>('core:logger');
