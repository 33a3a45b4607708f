import { builtInPlugins, type TestKernel, type TestKernelOptions } from '../../core/testing.ts';
import type { Engine } from '../../core/index.ts';
import { signUp, type SignedIn } from './accounts.ts';
import { startMigratedKernel } from './databases/migrated-kernel.ts';
import { withServices, type OtherService } from './other-services.ts';

/** The whole service under test. */
export interface Vitrine extends TestKernel {
  /** The administrator: the first account of the installation. */
  admin(): Promise<SignedIn>;
  /** Registers an ordinary user and signs in; the administrator exists before. */
  user(username: string): Promise<SignedIn>;
}

export interface VitrineOptions extends Omit<TestKernelOptions, 'engine' | 'plugins'> {
  /** Ids; by default every built-in plugin but the samples, whose seeding would fill the empty catalogue. */
  readonly plugins?: readonly string[];
  /** Made in another way than the plugins make them. */
  readonly services?: readonly OtherService[];
}

export { PASSWORD, type SignedIn } from './accounts.ts';

/** Boots built-in plugins with real HTTP on a database of the engine with nothing in its tables. */
export async function startVitrine(engine: Engine, options: VitrineOptions = {}): Promise<Vitrine> {
  const { plugins: ids, services = [], ...rest } = options;
  const plugins = ids
    ? await builtInPlugins(ids)
    : (await builtInPlugins()).filter(({ id }) => id !== 'samples');
  const kernel = await startMigratedKernel({ engine, plugins: withServices(plugins, services), ...rest });
  let admin: Promise<SignedIn> | undefined;
  const theAdmin = (): Promise<SignedIn> => (admin ??= signUp(kernel, 'admin'));
  return {
    ...kernel,
    admin: theAdmin,
    user: async (username) => {
      await theAdmin();
      return signUp(kernel, username);
    },
  };
}
