import { builtInPlugins, type TestKernel, type TestKernelOptions } from '../../core/testing.ts';
import type { Engine } from '../../core/index.ts';
import { startMigratedKernel } from './databases/migrated-kernel.ts';

/** Somebody who signed in. */
export interface SignedIn {
  readonly id: string;
  readonly username: string;
  readonly token: string;
}

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
}

/** Of everybody who is signed up here. */
export const PASSWORD = 'correct horse battery';

/** Boots built-in plugins with real HTTP on a database of the engine with nothing in its tables. */
export async function startVitrine(engine: Engine, options: VitrineOptions = {}): Promise<Vitrine> {
  const { plugins: ids, ...rest } = options;
  const plugins = ids
    ? await builtInPlugins(ids)
    : (await builtInPlugins()).filter(({ id }) => id !== 'samples');
  const kernel = await startMigratedKernel({ engine, plugins, ...rest });
  const signUp = async (username: string): Promise<SignedIn> => {
    const body = { username, email: `${username}@example.org`, password: PASSWORD };
    const registered = await kernel.request('POST', '/users/register', { body });
    if (registered.status !== 200)
      throw new Error(`register ${username}: ${JSON.stringify(registered.body)}`);
    return signIn(kernel, username, registered.body.id as string);
  };
  let admin: Promise<SignedIn> | undefined;
  const theAdmin = (): Promise<SignedIn> => (admin ??= signUp('admin'));
  return {
    ...kernel,
    admin: theAdmin,
    user: async (username) => {
      await theAdmin();
      return signUp(username);
    },
  };
}

async function signIn(kernel: TestKernel, username: string, id: string): Promise<SignedIn> {
  const login = await kernel.request('POST', '/users/login', { body: { username, password: PASSWORD } });
  if (login.status !== 200) throw new Error(`login ${username}: ${JSON.stringify(login.body)}`);
  return { id, username, token: login.body.access_token as string };
}
