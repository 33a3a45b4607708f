import type { Engine } from '../../../core/index.ts';
import { makeScratch, type Scratch } from '../../../core/testing.ts';
import type { Build, Options } from './options.ts';
import { startService, type Service, type ServiceOptions } from './processes.ts';

/** What a benchmark starts; everything is stopped afterwards, last first, also when something fails on the way. */
export class Stage {
  readonly #ends: (() => Promise<unknown>)[] = [];

  /** Returns what it was given and stops it at the end. */
  add<T extends { stop(): Promise<unknown> }>(started: T): T {
    this.#ends.push(() => started.stop());
    return started;
  }

  /** An empty database that is removed at the end. */
  async store(engine: Engine): Promise<Scratch> {
    const store = await makeScratch(engine);
    this.#ends.push(() => store.remove());
    return store;
  }

  /** The service of a build on an empty database. */
  async service(build: Build, engine: Engine, options: Omit<ServiceOptions, 'root'> = {}): Promise<Service> {
    return this.add(await startService(await this.store(engine), { root: build.root, ...options }));
  }

  async end(): Promise<void> {
    for (const end of this.#ends.toReversed()) await end();
  }
}

/** Runs work that starts things, and stops them afterwards. */
export async function onStage<T>(work: (stage: Stage) => Promise<T>): Promise<T> {
  const stage = new Stage();
  try {
    return await work(stage);
  } finally {
    await stage.end();
  }
}

/** Makes something for every build on every engine, by the name that tables show. */
export async function eachService<T>(
  { builds, engines }: Options,
  make: (build: Build, engine: Engine) => Promise<T>,
): Promise<Map<string, T>> {
  const made = new Map<string, T>();
  for (const build of builds) {
    for (const engine of engines) made.set(`${build.name} on ${engine}`, await make(build, engine));
  }
  return made;
}
