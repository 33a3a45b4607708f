import { named, nullable, PagingQuery, timestamp, Type } from '../../core/index.ts';
import { EMAIL_PATTERN, LONGEST_PASSWORD, SHORTEST_PASSWORD, USERNAME_PATTERN } from './account-rules.ts';

const Role = Type.Enum(['user', 'admin'], { description: '`admin` may do everything.' });
const Status = Type.Enum(['active', 'disabled'], {
  description: 'A disabled account cannot sign in; its tokens and API keys are refused.',
});
const StoredStatus = Type.Enum(['active', 'disabled', 'deleted'], {
  description:
    'A disabled account cannot sign in; its tokens and API keys are refused. Of a deleted one only the id is left, for the records that it left.',
  examples: ['active'],
});

export const User = named(
  'User',
  Type.Object({
    id: Type.String({ description: 'The identifier of the account.' }),
    username: Type.String({
      description: 'What the account signs in with; `deleted user …` for a deleted one.',
      examples: ['ada'],
    }),
    email: Type.String({
      description: 'The e-mail address; empty for a deleted account.',
      examples: ['ada@example.org'],
    }),
    role: Role,
    status: StoredStatus,
    created_at: timestamp('When it was registered.'),
    updated_at: timestamp('When its e-mail address, role, status or password last changed.'),
  }),
);
export type User = Type.Static<typeof User>;

const NewPassword = Type.String({
  minLength: SHORTEST_PASSWORD,
  maxLength: LONGEST_PASSWORD,
  description: `${SHORTEST_PASSWORD} to ${LONGEST_PASSWORD} characters.`,
  examples: ['seven quiet rivers'],
});

/** Longer than any accepted password, so that a wrong one is answered as wrong and not as malformed. */
const SentPassword = Type.String({
  minLength: 1,
  maxLength: 1024,
  description: 'The password of the account.',
  examples: ['seven quiet rivers'],
});

const Username = Type.String({
  pattern: USERNAME_PATTERN,
  format: 'name',
  maxLength: 64,
  description:
    'Letters, digits and . _ @ + -, a letter or digit first; unique without regard to case, width and composition.',
  examples: ['ada'],
});
const Email = Type.String({
  pattern: EMAIL_PATTERN,
  maxLength: 254,
  description: 'An e-mail address; unique without regard to case, width and composition.',
  examples: ['ada@example.org'],
});

export const UserRegisterRequest = named(
  'UserRegisterRequest',
  Type.Object({ username: Username, email: Email, password: NewPassword }),
);

export const OneTimeLink = named(
  'OneTimeLink',
  Type.Object({
    url: Type.String({
      description:
        'The link to hand over. What follows `token=` is the token of `confirmPasswordReset`. Without an address only where nobody asked over HTTP and `PUBLIC_URL` is not set.',
      examples: ['https://vitrine.example.org/reset#token=Jb0sYtN2pYb1cJ6w0kqLr1WmC3qv4nD5xQ8uZ7eA9fM'],
    }),
    expires_at: timestamp('Until when it works.'),
    mail: Type.Enum(['sent', 'failed', 'off'], {
      description:
        'Whether it was mailed to the account as well; `off` where no mail server is set (`SMTP_URL`).',
    }),
    mail_error: nullable(
      Type.String({ description: 'Why it could not be mailed. The link works all the same.' }),
    ),
  }),
);
export type OneTimeLink = Type.Static<typeof OneTimeLink>;

const REVOKE_KEYS =
  'Whether the API keys of the account end as well, as when somebody else may have made some. False by default.';

export const NewUser = named(
  'UserCreateRequest',
  Type.Object({
    username: Type.String({ ...Username, examples: ['grace'] }),
    email: Type.String({ ...Email, examples: ['grace@example.org'] }),
    role: Type.Optional(Role),
    password: Type.Optional(
      Type.String({
        ...NewPassword,
        description: `${SHORTEST_PASSWORD} to ${LONGEST_PASSWORD} characters. Without one the account gets an invitation, with which its owner chooses one.`,
      }),
    ),
  }),
);
export type NewUser = Type.Static<typeof NewUser>;

export const CreatedUser = named(
  'CreatedUser',
  Type.Object({ ...User.properties, invitation: nullable(OneTimeLink) }),
);
export type CreatedUser = Type.Static<typeof CreatedUser>;

export const OwnChange = named(
  'OwnAccountChange',
  Type.Object({
    email: Type.Optional(Email),
    password: Type.Optional(
      Type.String({
        ...SentPassword,
        description: 'The current password. Needed to change the e-mail address.',
      }),
    ),
  }),
);
export type OwnChange = Type.Static<typeof OwnChange>;

const RECORDS = {
  default: 'keep',
  description:
    '`keep` leaves the records of the account under the name `deleted user …`; `delete` has a job delete them, within minutes.',
} as const;
export const DeletionQuery = Type.Object({ records: Type.Enum(['keep', 'delete'], RECORDS) });
export const OwnDeletion = named(
  'OwnAccountDeletion',
  Type.Object({ password: SentPassword, records: Type.Optional(Type.Enum(['keep', 'delete'], RECORDS)) }),
);

export const ResetRequest = named(
  'PasswordResetRequest',
  Type.Object({
    email: Type.String({ ...Email, description: 'The e-mail address of the account.' }),
  }),
);

export const ChosenPassword = named(
  'PasswordResetConfirmation',
  Type.Object({
    token: Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'What follows `token=` in the link.',
      examples: ['Jb0sYtN2pYb1cJ6w0kqLr1WmC3qv4nD5xQ8uZ7eA9fM'],
    }),
    password: Type.String({ ...NewPassword, examples: ['nine quiet rivers'] }),
    revoke_api_keys: Type.Optional(Type.Boolean({ description: REVOKE_KEYS })),
  }),
);
export type ChosenPassword = Type.Static<typeof ChosenPassword>;

export const ResetAccount = Type.Object({
  username: Type.String({ description: 'The name to sign in with.', examples: ['ada'] }),
  message: Type.String({
    description: 'What happened.',
    examples: ['The password was set. Sign in with it.'],
  }),
});

export const RegistrationState = named(
  'RegistrationState',
  Type.Object({
    open: Type.Boolean({ description: 'Whether anybody can register.', examples: [true] }),
    makes_administrator: Type.Boolean({
      description:
        'Whether the next account to register becomes the administrator, as on an empty installation.',
      examples: [false],
    }),
    password_reset: Type.Boolean({
      description: 'Whether `requestPasswordReset` mails a link to people who forgot their password.',
      examples: [false],
    }),
  }),
);
export type RegistrationState = Type.Static<typeof RegistrationState>;

export const UserLoginRequest = named(
  'UserLoginRequest',
  Type.Object({
    username: Type.String({
      minLength: 1,
      maxLength: 256,
      description: 'The username of the account.',
      examples: ['ada'],
    }),
    password: SentPassword,
  }),
);

export const TokenResponse = named(
  'TokenResponse',
  Type.Object({
    access_token: Type.String({
      description: 'A JWT; send it as `Authorization: Bearer <access_token>`.',
      examples: ['eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.e30.c2lnbmF0dXJl'],
    }),
    token_type: Type.String({ description: 'How the token is sent.', examples: ['bearer'] }),
    expires_at: timestamp('When the token expires.'),
  }),
);
export type TokenResponse = Type.Static<typeof TokenResponse>;

const Session = named(
  'Session',
  Type.Object({
    id: Type.String({ description: 'The identifier of the session.' }),
    via: Type.Enum(['session', 'token'], {
      description: 'Whether it is in the cookie of a browser, or a bearer token.',
    }),
    address: Type.String({ description: 'From where it was opened.', examples: ['192.0.2.7'] }),
    user_agent: nullable(Type.String({ description: 'What the program that opened it calls itself.' })),
    created_at: timestamp('When it was opened.'),
    last_used_at: nullable(timestamp('When it was last used, to the minute.', null)),
    expires_at: timestamp('When it ends by itself.'),
    current: Type.Boolean({ description: 'Whether it is the one of this request.' }),
  }),
);

export const SessionsQuery = PagingQuery({});
export type SessionsQuery = Type.Static<typeof SessionsQuery>;

export const SessionList = named(
  'SessionList',
  Type.Object({
    sessions: Type.Array(Session, { description: 'Newest first.' }),
    total: Type.Integer({ description: 'How many there are.', examples: [1] }),
  }),
);
export type SessionList = Type.Static<typeof SessionList>;

export const PasswordChange = named(
  'PasswordChange',
  Type.Object({
    old_password: SentPassword,
    new_password: Type.String({ ...NewPassword, examples: ['eight quiet rivers'] }),
    revoke_api_keys: Type.Optional(Type.Boolean({ description: REVOKE_KEYS })),
  }),
);
export type PasswordChange = Type.Static<typeof PasswordChange>;

export const UserChange = named(
  'UserChange',
  Type.Object(
    {
      email: Type.Optional(Email),
      role: Type.Optional(Role),
      status: Type.Optional(Status),
      revoke_api_keys: Type.Optional(
        Type.Boolean({
          description:
            'Whether the API keys of the account end for good, so that none works again once it is active. False by default.',
        }),
      ),
    },
    { examples: [{ status: 'active' }] },
  ),
);
export type UserChange = Type.Static<typeof UserChange>;

const RestoredKey = Type.Object({
  id: Type.String({ description: 'The identifier of the key.' }),
  name: Type.String({ description: 'What its owner calls it.' }),
  expires_at: timestamp('When it stops working.'),
});

export const ChangedUser = named(
  'ChangedUser',
  Type.Object({
    ...User.properties,
    restored_api_keys: Type.Optional(
      Type.Array(RestoredKey, {
        description:
          'Where the change made a disabled account active: the API keys that work again, newest first.',
      }),
    ),
  }),
);
export type ChangedUser = Type.Static<typeof ChangedUser>;

export const UsersQuery = PagingQuery({
  q: Type.Optional(Type.String({ maxLength: 254, description: 'A part of the username or e-mail address.' })),
  role: Type.Optional(Type.Enum(['user', 'admin'], { description: 'Only accounts with this role.' })),
  status: Type.Optional(
    Type.Enum(['active', 'disabled', 'deleted'], {
      description: 'Only accounts with this status. Deleted ones are listed on request only.',
    }),
  ),
});
export type UsersQuery = Type.Static<typeof UsersQuery>;

export const UserList = named(
  'UserList',
  Type.Object({
    users: Type.Array(User, { description: 'Newest first.' }),
    total: Type.Integer({ description: 'How many match in all.', examples: [1] }),
  }),
);
export type UserList = Type.Static<typeof UserList>;
