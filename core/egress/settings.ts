import Type from 'typebox';
import { defineSettings, setting, type SettingsOf } from '../config/settings.ts';
import { allowComplaint } from './allow-list.ts';

/** Where URLs that users supply may lead. */
export const EgressSettings = defineSettings(
  'egress',
  {
    policy: setting(Type.Enum(['private', 'public']), {
      default: 'private',
      says: '`private`: algorithm endpoints may live on private addresses and on this machine. `public`: on public addresses only.',
    }),
    allow: setting(Type.Array(Type.String()), {
      default: [],
      says: 'Hosts, addresses or networks that may be reached in spite of the policy, each with an optional `:port`. Link-local and metadata addresses stay refused.',
    }),
    answer_memory: setting(Type.Integer({ minimum: 65_536, maximum: 1_073_741_824 }), {
      default: 2_097_152,
      says: 'Bytes of answers above 64 KiB that may be arriving at once, of endpoints, of images that users point at and of servers that the operator configured each. Beyond it they arrive one after the other, which is felt over slow lines.',
    }),
    held_answer_memory: setting(Type.Integer({ minimum: 65_536, maximum: 1_073_741_824 }), {
      default: 67_108_864,
      says: 'Bytes of answers of endpoints above 64 KiB that may have come and be held still, as outputs are until their calls are recorded. Beyond it further ones wait to arrive, and new calls are answered 503.',
    }),
  },
  ({ allow }) => ({ allow: allowComplaint(allow) }),
);

export type EgressValues = SettingsOf<typeof EgressSettings>;
