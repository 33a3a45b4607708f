import { StartupError, type Fault } from '../errors/startup-error.ts';

export type { Fault } from '../errors/startup-error.ts';

/** Collects faults instead of stopping at the first one. */
export class Faults {
  readonly all: Fault[] = [];

  add(faults: readonly Fault[]): void {
    this.all.push(...faults);
  }

  /** Runs `work` and returns its result; when it throws a `StartupError`, records that and returns `undefined`. */
  attempt<T>(work: () => T, plugin?: string): T | undefined {
    try {
      return work();
    } catch (error) {
      if (!(error instanceof StartupError)) throw error;
      const faults = error.findings.length > 0 ? error.findings : [{ message: error.message }];
      this.add(faults.map((fault) => ({ ...fault, plugin })));
      return undefined;
    }
  }

  /** Whether a recorded fault is caused by the plugin. */
  blames(plugin: string): boolean {
    return this.all.some((fault) => fault.plugin === plugin);
  }
}

/** An error that lists all faults, one on each line. */
export function faultyInstallation(faults: readonly Fault[]): StartupError {
  const count = faults.length === 1 ? 'a fault' : `${faults.length} faults`;
  const lines = faults.map(({ message }) => `  - ${message}`);
  return new StartupError(`The configuration has ${count}:\n${lines.join('\n')}`, faults);
}
