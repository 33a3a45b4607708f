import { brand } from '../support/brand.ts';

/** What else a `StartupError` knows. */
export interface StartupErrorOptions extends ErrorOptions {
  /** Ids of the plugins at fault; none when it is no particular plugin's fault. */
  readonly plugins?: readonly string[];
}

/** A fault of the installation that stops the start: one clear paragraph for the operator, no stack. */
export class StartupError extends Error {
  static {
    brand(this, 'StartupError');
  }

  /** The single findings behind the paragraph, each with its place and way out. */
  readonly findings: readonly string[];
  readonly plugins: readonly string[];

  constructor(message: string, findings: readonly string[] = [], options: StartupErrorOptions = {}) {
    super(message, options);
    this.name = 'StartupError';
    this.findings = findings;
    this.plugins = options.plugins ?? [];
  }
}
