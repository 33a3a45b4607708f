import { brand } from '../support/brand.ts';

/** One reason why the service cannot start, and how to correct it. */
export interface Fault {
  readonly message: string;
  /** The id of the plugin that causes the fault. */
  readonly plugin?: string | undefined;
  /** `server.port`. */
  readonly setting?: string | undefined;
  /** The environment name of the setting, or the variable at fault. */
  readonly env?: string | undefined;
  /** The file that has the value, and the line in it. */
  readonly file?: string | undefined;
  readonly line?: number | undefined;
  /** The value at fault; a secret and credentials in an address are masked. */
  readonly value?: unknown;
}

/** Further data of a `StartupError`. */
export interface StartupErrorOptions extends ErrorOptions {
  /** Ids of the plugins at fault; none when no particular plugin is at fault. */
  readonly plugins?: readonly string[];
}

/** A fault of the installation that prevents the start; shown to the operator as a paragraph without a stack trace. */
export class StartupError extends Error {
  static {
    brand(this, 'StartupError');
  }

  /** The individual faults; none when the message says all. */
  readonly findings: readonly Fault[];
  readonly plugins: readonly string[];

  constructor(message: string, findings: readonly Fault[] = [], options: StartupErrorOptions = {}) {
    super(message, options);
    this.name = 'StartupError';
    this.findings = findings;
    this.plugins = options.plugins ?? [];
  }
}

/** An error that lists all faults, one on each line. */
export function faultyInstallation(faults: readonly Fault[]): StartupError {
  const count = faults.length === 1 ? 'a fault' : `${faults.length} faults`;
  const lines = faults.map(({ message }) => `  - ${message}`);
  return new StartupError(`The configuration has ${count}:\n${lines.join('\n')}`, faults);
}
