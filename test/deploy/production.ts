import { join } from 'node:path';
import { environmentName } from '../../core/config/settings.ts';
import { coreSettings } from '../../core/kernel/core-settings.ts';
import { PLUGIN_DEADLINES } from '../../core/kernel/lifecycle.ts';
import { makePlan } from '../../core/kernel/plan.ts';
import { packageRoot } from '../../core/support/package-root.ts';
import { REQUEST_TIMEOUT_MS } from '../../plugins/repohost/gitea/api.ts';

/** A setting as the code declares it, and as an installation has it. */
export interface DeployedSetting {
  readonly section: string;
  readonly key: string;
  readonly env: string;
  readonly isSecret: boolean;
  /** `undefined` for a secret. */
  readonly value: unknown;
}

/** Every setting of an installation with all built-in plugins. */
export interface DeployedSettings {
  readonly all: readonly DeployedSetting[];
  /** The value of `section.key`. Throws when there is no such number. */
  number(name: string): number;
}

/** The settings of an instance that runs on `config/production.yaml`, or on another file. Throws what its start would. */
export async function deployedSettings(
  file = join(packageRoot, 'config', 'production.yaml'),
): Promise<DeployedSettings> {
  // The password of an administrator whom the file names is a secret, and comes with the environment.
  const env = { VITRINE_CONFIG: file, ADMIN_PASSWORD: 'correct horse battery' };
  const { configuration, plugins } = await makePlan({ env, cwd: packageRoot });
  const sections = [...coreSettings, ...plugins.flatMap(({ definition }) => definition.config ?? [])];
  const all = sections.flatMap((declared) => {
    const values = configuration.valuesOf(declared) as Readonly<Record<string, unknown>>;
    return Object.entries(declared.settings).map(([key, setting]) => ({
      section: declared.section,
      key,
      env: environmentName(declared.section, key, setting),
      isSecret: setting.secret === true,
      value: setting.secret ? undefined : values[key],
    }));
  });
  return {
    all,
    number: (name) => {
      const value = all.find(({ section, key }) => `${section}.${key}` === name)?.value;
      if (typeof value !== 'number') throw new Error(`There is no number "${name}".`);
      return value;
    },
  };
}

/** Milliseconds that an instance may take to stop: it drains, ends what it works on, and stops a slow plugin or two. */
export function longestStopMs({ number }: DeployedSettings): number {
  const plugins = 2 * PLUGIN_DEADLINES.stopMs;
  return number('server.drain_delay_ms') + number('server.shutdown_ms') + plugins;
}

/** Milliseconds that a request may take once it has arrived. A call may wait in the gateway, and for its record. */
export function longestRequestMs({ number }: DeployedSettings): number {
  const call = 2 * number('invocation.timeout_ms') + 5000;
  return Math.max(call, number('llm.timeout_ms'), REQUEST_TIMEOUT_MS);
}
