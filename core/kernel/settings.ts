import Type from 'typebox';
import { defineSettings, setting, type SettingsOf } from '../config/settings.ts';

/** Which plugins run here: enabled is a decision of the deployment. */
export const PluginsSettings = defineSettings('plugins', {
  disabled: setting(Type.Array(Type.String()), {
    default: [],
    description: 'Ids of plugins that are switched off; their code is not loaded, their tables stay.',
  }),
  enabled: setting(Type.Array(Type.String()), {
    default: [],
    description:
      'Ids of plugins from `plugins.path` that are switched on; one that is not named here is found but not loaded.',
  }),
  integrity: setting(Type.Array(Type.String({ pattern: '^[a-z][a-z0-9-]*=sha256-[A-Za-z0-9+/]{43}=$' })), {
    default: [],
    description:
      'The approved code of plugins from outside, each `ID=sha256-BASE64` as `vitrine plugins hash ID` prints it; with one entry every enabled plugin from outside needs one, and other code is not loaded.',
  }),
  may_fail: setting(Type.Array(Type.String()), {
    default: [],
    description:
      'Ids of plugins without which the service may start: one that cannot be loaded, wired, migrated or started is left out, and the health is degraded. Never name one that guards.',
  }),
  packages: setting(Type.Array(Type.String()), {
    default: [],
    description: 'Names of npm packages that hold a plugin; naming one here switches it on.',
  }),
  path: setting(Type.String(), {
    default: '',
    description: 'A directory of plugin folders; each folder has the name of its plugin.',
  }),
});
export type PluginsSettings = SettingsOf<typeof PluginsSettings>;

export const DataSettings = defineSettings('data', {
  dir: setting(Type.String({ minLength: 1 }), {
    default: './data',
    env: 'DATA_DIR',
    description: 'Directory for the SQLite file, the secrets made here and the spool; created when missing.',
  }),
});
export type DataSettings = SettingsOf<typeof DataSettings>;
