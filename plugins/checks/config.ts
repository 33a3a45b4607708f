import { defineSettings, setting, Type, type SettingsOf } from '../../core/index.ts';

/** When versions are checked, and from when on it is told that one is broken. */
export const ChecksSettings = defineSettings('checks', {
  scheduled: setting(Type.Boolean(), {
    default: true,
    description: 'Whether versions are checked regularly; otherwise only when somebody asks for it.',
  }),
  interval_s: setting(Type.Integer({ minimum: 60, maximum: 2_592_000 }), {
    default: 3600,
    description:
      'Seconds after which a version is checked again. One that was changed is checked within a minute.',
  }),
  broken_after: setting(Type.Integer({ minimum: 1, maximum: 100 }), {
    default: 3,
    description: 'Failed checks in a row after which `checks:version-broke` is emitted.',
  }),
});

export type ChecksSettings = SettingsOf<typeof ChecksSettings>;
