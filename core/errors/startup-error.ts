import { brand } from '../support/brand.ts';

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

  /** The individual findings, each with its position and how to correct it. */
  readonly findings: readonly string[];
  readonly plugins: readonly string[];

  constructor(message: string, findings: readonly string[] = [], options: StartupErrorOptions = {}) {
    super(message, options);
    this.name = 'StartupError';
    this.findings = findings;
    this.plugins = options.plugins ?? [];
  }
}
