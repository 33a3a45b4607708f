import { StartupError } from '../errors/startup-error.ts';

/** What keeps the service from starting as it is set up, with its way out. */
export interface Fault {
  readonly message: string;
  /** The id of the plugin without which it would not be there. */
  readonly plugin?: string | undefined;
}

/** Collects faults instead of stopping at the first one. */
export class Faults {
  readonly all: Fault[] = [];

  add(faults: readonly Fault[]): void {
    this.all.push(...faults);
  }

  /** What the work makes, or nothing when it ends in a `StartupError`. */
  attempt<T>(work: () => T, plugin?: string): T | undefined {
    try {
      return work();
    } catch (error) {
      if (!(error instanceof StartupError)) throw error;
      const findings = error.findings.length > 0 ? error.findings : [error.message];
      this.add(findings.map((message) => ({ message, plugin })));
      return undefined;
    }
  }

  /** Whether it concerns a plugin that is at fault. */
  blames(plugin: string): boolean {
    return this.all.some((fault) => fault.plugin === plugin);
  }
}

/** All of them in one paragraph, a line each. */
export function faultyInstallation(faults: readonly Fault[]): StartupError {
  const count = faults.length === 1 ? 'a fault' : `${faults.length} faults`;
  const lines = faults.map(({ message }) => `  - ${message}`);
  return new StartupError(
    `The configuration has ${count}:\n${lines.join('\n')}`,
    faults.map(({ message }) => message),
  );
}
