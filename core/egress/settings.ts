import Type from 'typebox';
import { defineSettings, setting, type SettingsOf } from '../config/settings.ts';

/** Where URLs that users supply may lead. */
export const EgressSettings = defineSettings('egress', {
  policy: setting(Type.Enum(['private', 'public']), {
    default: 'private',
    says: '`private`: algorithm endpoints may live on private addresses and on this machine. `public`: on public addresses only.',
  }),
  allow: setting(Type.Array(Type.String()), {
    default: [],
    says: 'Hosts, addresses or networks that may be reached in spite of the policy, each with an optional `:port`. Link-local and metadata addresses stay refused.',
  }),
});

export type EgressValues = SettingsOf<typeof EgressSettings>;
