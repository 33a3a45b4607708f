import { defineSettings, setting, type SettingsOf, Type } from '../../core/index.ts';
import { mailComplaints } from './mail/mailer.ts';
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
    smtp_url: setting(Type.String({ pattern: '^(smtps?://[^\\s/]+/?(\\?\\S*)?)?$' }), {
      default: '',
      env: 'SMTP_URL',
      secret: true,
      description:
        'Mail server that sends one-time links, as `smtp://user:password@host:587`, or `smtps://` for TLS from the start. Empty: no mail is sent.',
    }),
    mail_from: setting(Type.String({ maxLength: 254, pattern: '^([^\\r\\n]*@[^\\r\\n]+)?$' }), {
      default: '',
      env: 'MAIL_FROM',
      description: 'Sender of the mail, as `vitrine@example.org` or `Vitrine <vitrine@example.org>`.',
    }),
    reset_link_minutes: setting(Type.Integer({ minimum: 5, maximum: 10_080 }), {
      default: 60,
      description: 'How long a link for a new password works.',
    }),
    invitation_days: setting(Type.Integer({ minimum: 1, maximum: 90 }), {
      default: 7,
      description: 'How long an invitation works.',
    }),
  },
  (values) => ({ ...adminComplaints(values), ...mailComplaints(values) }),
);

export type UsersSettings = SettingsOf<typeof UsersSettings>;
