import type { Engine } from '../../../core/index.ts';
import { packageRoot } from '../../../core/support/package-root.ts';
import { builtInPlugins, makeScratch, startTestKernel, type TestKernel } from '../../../core/testing.ts';
import type { Options } from './options.ts';
import { startService, type Installation, type Service, type ServiceOptions } from './processes.ts';

/** What a benchmark starts. */
export class Stage {
  readonly #ends: (() => Promise<unknown>)[] = [];

  /** Returns what it was given and stops it at the end. */
  add<T extends { stop(): Promise<unknown> }>(started: T): T {
    this.#ends.push(() => started.stop());
    return started;
  }

  /** A checkout, this one by default, on an empty database that is removed at the end. */
  async installation(engine: Engine, root = packageRoot): Promise<Installation> {
    const scratch = await makeScratch(engine);
    this.#ends.push(() => scratch.remove());
    return { root, engine, scratch };
  }

  /** Every build on every engine, by the name that tables show. */
  async installations({ builds, engines }: Options): Promise<Map<string, Installation>> {
    const made = new Map<string, Installation>();
    for (const { name, root } of builds) {
      for (const engine of engines) made.set(`${name} on ${engine}`, await this.installation(engine, root));
    }
    return made;
  }

  /** The services of every build on every engine, by the name that tables show. */
  async services(options: Options, how?: ServiceOptions): Promise<Map<string, Service>> {
    const started = new Map<string, Service>();
    for (const [name, installation] of await this.installations(options)) {
      started.set(name, this.add(await startService(installation, how)));
    }
    return started;
  }

  /** The plugins of this checkout in this process, which fill a database before its service starts. */
  async kernel({ engine, scratch }: Installation): Promise<TestKernel> {
    // To analyse millions of rows takes PostgreSQL longer than a request may.
    const settings = { samples: { seed: false }, database: { statement_timeout_ms: 600_000 } };
    return this.add(await startTestKernel({ engine, scratch, settings, plugins: await builtInPlugins() }));
  }

  /** Stops everything, last first. */
  async end(): Promise<void> {
    for (const end of this.#ends.splice(0).toReversed()) await end();
  }
}
