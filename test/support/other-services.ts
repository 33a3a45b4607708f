import type { Token } from '../../core/di/token.ts';
import type { PluginDefinition } from '../../core/kernel/plugin.ts';

/** Another way to make a service, from the dependencies that its plugin declares. */
export interface OtherService {
  readonly token: Token<unknown>;
  readonly create: (deps: never) => unknown;
}

/** Makes a service in another way, such as with a limit that a test can reach. */
export function made<T>(token: Token<T>, create: (deps: never) => NoInfer<T>): OtherService {
  return { token, create };
}

/** The plugins with some of their services made in another way. Throws when none of them has such a service. */
export function withServices(
  plugins: readonly PluginDefinition[],
  others: readonly OtherService[],
): PluginDefinition[] {
  const pending = new Map(others.map(({ token, create }) => [token.id, create]));
  const changed = plugins.map((plugin) => {
    if (!plugin.services?.some(({ token }) => pending.has(token.id))) return plugin;
    const services = plugin.services.map((service) => {
      const create = pending.get(service.token.id);
      pending.delete(service.token.id);
      return create ? { ...service, create } : service;
    });
    return { ...plugin, services };
  });
  const [missing] = pending.keys();
  if (missing) throw new Error(`None of the plugins has the service "${missing}".`);
  return changed;
}
