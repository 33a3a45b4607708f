import { StartupError, type Fault } from '../errors/startup-error.ts';

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
