import { token } from '../di/token.ts';

/** The structured log of one plugin: fields first, then a sentence. Never log secrets. */
export interface Logger {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
  child(fields: object): Logger;
}

/** The logger of the dependent plugin; its lines have the plugin's id. */
export const LOGGER = token<Logger>('core:logger');
