import type { IconName } from '../parts/icon.tsx';
import type { text } from '../texts/text.ts';

/** A part of the administration. */
interface Section {
  readonly name: keyof typeof text.sections;
  readonly to: `/administration/${string}`;
  readonly icon: IconName;
  /** Without it there is nothing to administer. */
  readonly plugin: string;
}

/** In the order of the menu. */
export const SECTIONS = [
  { name: 'algorithms', to: '/administration/algorithms', icon: 'grid', plugin: 'catalogue' },
  { name: 'users', to: '/administration/users', icon: 'user', plugin: 'users' },
  { name: 'groups', to: '/administration/groups', icon: 'users', plugin: 'groups' },
  { name: 'keys', to: '/administration/keys', icon: 'key', plugin: 'api-keys' },
  { name: 'repositories', to: '/administration/repositories', icon: 'code', plugin: 'repositories' },
  { name: 'gateway', to: '/administration/gateway', icon: 'filter', plugin: 'gateway' },
  { name: 'transfer', to: '/administration/transfer', icon: 'copy', plugin: 'catalogue' },
  { name: 'audit', to: '/administration/audit', icon: 'clock', plugin: 'audit' },
  { name: 'plugins', to: '/administration/plugins', icon: 'box', plugin: 'monitoring' },
  { name: 'settings', to: '/administration/settings', icon: 'rows', plugin: 'monitoring' },
] as const satisfies readonly Section[];
