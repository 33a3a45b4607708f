import { defineSettings, setting, Type, type SettingsOf } from '../../core/index.ts';

export const ApiKeysSettings = defineSettings('api-keys', {
  longest_life_days: setting(Type.Integer({ minimum: 0, maximum: 36_500 }), {
    default: 0,
    description: 'Days that a new key may live at most; 0 sets no bound.',
  }),
  warn_days: setting(Type.Integer({ minimum: 0, maximum: 365 }), {
    default: 7,
    description:
      'Days before its expiry that a key is announced, by an event and in lists; 0 announces none. Keys made for no longer than that are not announced.',
  }),
  active_per_user: setting(Type.Integer({ minimum: 1, maximum: 10_000 }), {
    default: 100,
    description: 'Active keys that one user may have.',
  }),
});

export type ApiKeysSettings = SettingsOf<typeof ApiKeysSettings>;
