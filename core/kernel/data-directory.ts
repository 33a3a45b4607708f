import { token } from '../di/token.ts';

/** The absolute path of the directory for files that must outlive the process (`data.dir`); it exists. */
export const DATA_DIRECTORY = token<string>('core:data-directory');
