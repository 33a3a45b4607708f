import { defineSettings, setting, type SettingsOf, Type } from '../../core/index.ts';
import { adminComplaints } from './wanted-admin.ts';

export const UsersSettings = defineSettings(
  'users',
  {
    registration: setting(Type.Boolean(), {
      default: true,
      description: 'Whether anybody may register an account.',
    }),
    first_is_admin: setting(Type.Boolean(), {
      default: true,
      description: 'Whether the first account to register on an empty database becomes the administrator.',
    }),
    admin_username: setting(Type.String({ maxLength: 64 }), {
      default: '',
      env: 'ADMIN_USERNAME',
      description:
        'Username of an administrator who is created at start when missing. Empty: `admin`, if a password is given.',
    }),
    admin_email: setting(Type.String({ maxLength: 254 }), {
      default: '',
      env: 'ADMIN_EMAIL',
      description: 'E-mail address of that administrator. Empty: the username at `localhost`.',
    }),
    admin_password: setting(Type.String({ maxLength: 256 }), {
      default: '',
      env: 'ADMIN_PASSWORD',
      secret: true,
      description:
        'Password of that administrator, 8 to 256 characters. An existing account is never changed.',
    }),
    login_failures_per_account: setting(Type.Integer({ minimum: 1, maximum: 1000 }), {
      default: 10,
      description:
        'Failed logins of one account after which each further one doubles a delay, up to 15 minutes.',
    }),
    login_failures_per_address: setting(Type.Integer({ minimum: 1, maximum: 100_000 }), {
      default: 30,
      description: 'Failed logins per minute from one address after which the address must wait.',
    }),
  },
  adminComplaints,
);

export type UsersSettings = SettingsOf<typeof UsersSettings>;
