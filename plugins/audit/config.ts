import { defineSettings, setting, Type, type SettingsOf } from '../../core/index.ts';

export const AuditSettings = defineSettings('audit', {
  kept_days: setting(Type.Integer({ minimum: 1, maximum: 36_500 }), {
    default: 365,
    description: 'Days after which entries of the audit trail are deleted.',
  }),
});

export type AuditSettings = SettingsOf<typeof AuditSettings>;
