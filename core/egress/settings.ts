import Type from 'typebox';
import { defineSettings, setting, type SettingsOf } from '../config/settings.ts';
import { allowComplaint } from './guard/allow-list.ts';

/** The settings of egress: which destinations URLs of users may have, and how large answers may be. */
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
    answer_memory: setting(Type.Integer({ minimum: 65_536, maximum: 1_073_741_824 }), {
      default: 33_554_432,
      description:
        'Bytes of answers above 64 KiB that may arrive at once: for endpoints, for images that users point at and for servers that the operator configured, each. Half of it at most for one URL. Further large answers wait until others have arrived; an answer that does not announce its length counts with the most that it may have.',
    }),
  },
  ({ allow }) => ({ allow: allowComplaint(allow) }),
);

export type EgressValues = SettingsOf<typeof EgressSettings>;
