import { named, nullable, PagingQuery, timestamp, Type, type Static } from '../../core/index.ts';
import { EMAIL_PATTERN, LONGEST_PASSWORD, SHORTEST_PASSWORD, USERNAME_PATTERN } from './account-rules.ts';

const Role = Type.Enum(['user', 'admin'], { description: '`admin` may do everything.' });
const Status = Type.Enum(['active', 'disabled'], {
  description: 'A disabled account cannot sign in; its tokens and API keys are refused.',
});

export const User = named(
  'User',
  Type.Object({
    id: Type.String({ description: 'The identifier of the account.' }),
    username: Type.String({ description: 'What the account signs in with.', examples: ['ada'] }),
    email: Type.String({ description: 'The e-mail address.', examples: ['ada@example.org'] }),
    role: Role,
    status: Status,
    created_at: timestamp('When it was registered.'),
    updated_at: timestamp('When its role, status or password last changed.'),
  }),
);
export type User = Static<typeof User>;

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

export const UserRegisterRequest = named(
  'UserRegisterRequest',
  Type.Object({
    username: Type.String({
      pattern: USERNAME_PATTERN,
      format: 'name',
      maxLength: 64,
      description:
        'Letters, digits and . _ @ + -, a letter or digit first; unique without regard to case, width and composition.',
      examples: ['ada'],
    }),
    email: Type.String({
      pattern: EMAIL_PATTERN,
      maxLength: 254,
      description: 'An e-mail address; unique without regard to case, width and composition.',
      examples: ['ada@example.org'],
    }),
    password: NewPassword,
  }),
);

export const RegistrationState = named(
  'RegistrationState',
  Type.Object({
    open: Type.Boolean({ description: 'Whether anybody can register.', examples: [true] }),
    makes_administrator: Type.Boolean({
      description:
        'Whether the next account to register becomes the administrator, as on an empty installation.',
      examples: [false],
    }),
  }),
);
export type RegistrationState = Static<typeof RegistrationState>;

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
export type TokenResponse = Static<typeof TokenResponse>;

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
export type SessionsQuery = Static<typeof SessionsQuery>;

export const SessionList = named(
  'SessionList',
  Type.Object({
    sessions: Type.Array(Session, { description: 'Newest first.' }),
    total: Type.Integer({ description: 'How many there are.', examples: [1] }),
  }),
);
export type SessionList = Static<typeof SessionList>;

export const PasswordChange = named(
  'PasswordChange',
  Type.Object({
    old_password: SentPassword,
    new_password: Type.String({ ...NewPassword, examples: ['eight quiet rivers'] }),
    revoke_api_keys: Type.Optional(
      Type.Boolean({
        description:
          'Whether the API keys of the account end as well, as when somebody else may have made some. False by default.',
      }),
    ),
  }),
);
export type PasswordChange = Static<typeof PasswordChange>;

export const UserChange = named(
  'UserChange',
  Type.Object(
    {
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
export type UserChange = Static<typeof UserChange>;

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
export type ChangedUser = Static<typeof ChangedUser>;

export const UsersQuery = PagingQuery({
  q: Type.Optional(Type.String({ maxLength: 254, description: 'A part of the username or e-mail address.' })),
});
export type UsersQuery = Static<typeof UsersQuery>;

export const UserList = named(
  'UserList',
  Type.Object({
    users: Type.Array(User, { description: 'Newest first.' }),
    total: Type.Integer({ description: 'How many match in all.', examples: [1] }),
  }),
);
export type UserList = Static<typeof UserList>;
