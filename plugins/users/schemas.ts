import { named, PagingQuery, timestamp, Type, type Static } from '../../core/index.ts';
import { EMAIL_PATTERN, LONGEST_PASSWORD, SHORTEST_PASSWORD, USERNAME_PATTERN } from './account-rules.ts';

const Role = Type.Enum(['user', 'admin']);
const Status = Type.Enum(['active', 'disabled']);

export const User = named(
  'User',
  Type.Object({
    id: Type.String(),
    username: Type.String(),
    email: Type.String(),
    role: Role,
    status: Status,
    created_at: timestamp(),
    updated_at: timestamp(),
  }),
);
export type User = Static<typeof User>;

const NewPassword = Type.String({
  minLength: SHORTEST_PASSWORD,
  maxLength: LONGEST_PASSWORD,
  description: `${SHORTEST_PASSWORD} to ${LONGEST_PASSWORD} characters.`,
});

/** Longer than any accepted password, so that a wrong one is answered as wrong and not as malformed. */
const SentPassword = Type.String({ minLength: 1, maxLength: 1024 });

export const UserRegisterRequest = named(
  'UserRegisterRequest',
  Type.Object({
    username: Type.String({
      pattern: USERNAME_PATTERN,
      format: 'name',
      maxLength: 64,
      description: 'Letters, digits and . _ @ + -; unique without regard to case, width and composition.',
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

export const UserLoginRequest = named(
  'UserLoginRequest',
  Type.Object({ username: Type.String({ minLength: 1, maxLength: 256 }), password: SentPassword }),
);

export const TokenResponse = named(
  'TokenResponse',
  Type.Object({
    access_token: Type.String({ description: 'A JWT; send it as `Authorization: Bearer <access_token>`.' }),
    token_type: Type.String({ examples: ['bearer'] }),
    expires_at: timestamp('When the token expires.'),
  }),
);
export type TokenResponse = Static<typeof TokenResponse>;

export const PasswordChange = named(
  'PasswordChange',
  Type.Object({
    old_password: SentPassword,
    new_password: NewPassword,
    revoke_api_keys: Type.Optional(
      Type.Boolean({
        default: false,
        description:
          'Whether the API keys of the account end as well, as when somebody else may have made some.',
      }),
    ),
  }),
);
export type PasswordChange = Static<typeof PasswordChange>;

export const UserChange = named(
  'UserChange',
  Type.Object({
    role: Type.Optional(Role),
    status: Type.Optional(Status),
    revoke_api_keys: Type.Optional(
      Type.Boolean({
        default: false,
        description:
          'Whether the API keys of the account end for good, so that none works again once it is active.',
      }),
    ),
  }),
);
export type UserChange = Static<typeof UserChange>;

const RestoredKey = Type.Object({
  id: Type.String(),
  name: Type.String(),
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
  Type.Object({ users: Type.Array(User), total: Type.Integer({ description: 'How many match in all.' }) }),
);
export type UserList = Static<typeof UserList>;
