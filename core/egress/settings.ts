import Type from 'typebox';
import { defineSettings, setting, type SettingsOf } from '../config/settings.ts';
import { allowComplaint } from './guard/allow-list.ts';

/** The settings of egress: where URLs that users supply may lead. */
export const EgressSettings = defineSettings(
  'egress',
  {
    policy: setting(Type.Enum(['private', 'public']), {
      default: 'private',
      description:
        '`private`: algorithm endpoints may live on private addresses and on this machine. `public`: on public addresses only.',
    }),
    allow: setting(Type.Array(Type.String()), {
      default: [],
      description:
        'Hosts, addresses or networks that may be reached in spite of the policy, each with an optional `:port`. Link-local and metadata addresses stay refused.',
    }),
  },
  ({ allow }) => ({ allow: allowComplaint(allow) }),
);

export type EgressValues = SettingsOf<typeof EgressSettings>;
