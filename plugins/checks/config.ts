import { defineSettings, setting, Type, type SettingsOf } from '../../core/index.ts';

/** When versions are checked, within which bounds, and from when on that is told. */
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
  deadline_s: setting(Type.Integer({ minimum: 1, maximum: 300 }), {
    default: 60,
    description: 'How long a check of one version may take; examples that it leaves no time for are skipped.',
  }),
  concurrency: setting(Type.Integer({ minimum: 1, maximum: 64 }), {
    default: 2,
    description: 'Versions that one process checks at the same time.',
  }),
  kept_runs: setting(Type.Integer({ minimum: 1, maximum: 1000 }), {
    default: 20,
    description: 'Checks of a version of which the results are kept.',
  }),
});

export type ChecksSettings = SettingsOf<typeof ChecksSettings>;
