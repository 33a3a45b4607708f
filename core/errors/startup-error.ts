/** A fault of the installation that stops the start: one clear paragraph for the operator, no stack. */
export class StartupError extends Error {
  /** The single findings behind the paragraph, each with its place and way out. */
  readonly findings: readonly string[];

  constructor(message: string, findings: readonly string[] = [], options?: ErrorOptions) {
    super(message, options);
    this.name = 'StartupError';
    this.findings = findings;
  }
}
