import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { DoctorFinding } from '../../core/telemetry/doctor-check.ts';
import { diskFindings } from './disk.ts';

/** Whether the data directory is there, or can be made, and whether this user may write into it and has room. */
export function dataDirectoryFindings(directory: string, access = accessSync): DoctorFinding[] {
  const exists = existsSync(directory);
  const present = exists ? directory : nearestPresent(directory);
  const refused = whyNoFileCanBeMade(present, access);
  if (refused !== undefined) {
    const what = exists ? 'takes no files' : 'cannot be made';
    const message = `The data directory "${directory}" (data.dir, DATA_DIR) ${what}: ${present} ${refused}.`;
    const mend = `Give it to the user of the service, and run the doctor as that user, or correct DATA_DIR: ls -ld ${present}`;
    return [{ state: 'fault', message, mend }];
  }
  if (exists) return diskFindings('The data directory', directory);
  return [
    {
      state: 'warning',
      message: `The data directory "${directory}" (data.dir, DATA_DIR) does not exist yet; the start makes it.`,
      mend: 'Start the service, or correct DATA_DIR if there is another one.',
    },
  ];
}

/** The closest directory above a path that exists. */
function nearestPresent(path: string): string {
  const above = dirname(path);
  return existsSync(above) || above === path ? above : nearestPresent(above);
}

function whyNoFileCanBeMade(path: string, access: typeof accessSync): string | undefined {
  if (!statSync(path).isDirectory()) return 'is a file and no directory';
  try {
    access(path, constants.W_OK | constants.X_OK);
    return undefined;
  } catch (error) {
    return `refuses to be written (${(error as NodeJS.ErrnoException).code})`;
  }
}
