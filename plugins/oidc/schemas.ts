import { named, nullable, PagingQuery, timestamp, Type } from '../../core/index.ts';

const ProviderId = Type.String({
  description: 'The id of the provider in the settings.',
  examples: ['corporate'],
});

export const SignInProviders = Type.Object({
  providers: Type.Array(
    Type.Object({
      id: ProviderId,
      name: Type.String({ description: 'What people call it.', examples: ['Corporate sign-in'] }),
    }),
    { description: 'In the order of the settings; empty where there is none.' },
  ),
});

/** A path of this service, never an address elsewhere. */
const Next = Type.String({
  maxLength: 2000,
  pattern: '^/(?![/\\\\])[^\\u0000-\\u0020\\u007f]*$',
  description: 'A path of the pages of this service at which to go on afterwards.',
  examples: ['/history'],
});

export const SignInBeginning = Type.Object({ next: Type.Optional(Next) });
export type SignInBeginning = Type.Static<typeof SignInBeginning>;

export const BegunSignIn = Type.Object({
  url: Type.String({
    description:
      'Where to send the browser. The provider sends it back to `/sign-in/{provider_id}` beside the API, with a query.',
    examples: ['https://login.example.org/auth?client_id=vitrine&state=mYq0'],
  }),
});

export const ProviderAnswer = Type.Object({
  query: Type.String({
    minLength: 1,
    maxLength: 8192,
    description: 'The query with which the provider sent the browser back, as it is.',
    examples: ['code=nv6lrqAi&state=mYq0&iss=https%3A%2F%2Flogin.example.org'],
  }),
});

export const FinishedSignIn = Type.Object({
  user_id: Type.String({ description: 'The account that is signed in.' }),
  username: Type.String({ description: 'Its name.', examples: ['ada'] }),
  created: Type.Boolean({ description: 'Whether the account was just made.', examples: [false] }),
  next: nullable(Type.String({ description: 'What `beginSignIn` was given.', examples: ['/history'] })),
});
export type FinishedSignIn = Type.Static<typeof FinishedSignIn>;

export const SignOut = Type.Object({
  message: Type.String({ description: 'What happened.', examples: ['The session has ended.'] }),
  url: nullable(
    Type.String({
      description:
        'Where to send the browser to sign out of the provider as well; null where no provider opened the session, or where it has no such page or is away.',
      examples: ['https://login.example.org/session/end?client_id=vitrine'],
    }),
  ),
});
export type SignOut = Type.Static<typeof SignOut>;

const Link = named(
  'SignInLink',
  Type.Object({
    id: Type.String({ description: 'The identifier of the link.' }),
    user_id: Type.String({ description: 'The account.' }),
    provider: ProviderId,
    issuer: Type.String({
      description: 'The address by which the provider names itself.',
      examples: ['https://login.example.org'],
    }),
    subject: Type.String({
      description: 'How the provider names the person, for ever.',
      examples: ['248289761001'],
    }),
    email: nullable(
      Type.String({
        description: 'What the provider said when the link was made.',
        examples: ['ada@example.org'],
      }),
    ),
    created_at: timestamp('When it was made.'),
    last_used_at: nullable(timestamp('When somebody last signed in by it, to the minute.')),
  }),
);

export const LinksQuery = PagingQuery({
  user_id: Type.Optional(
    Type.String({
      maxLength: 64,
      description: 'Whose links: by default your own; for administrators the id of any account.',
    }),
  ),
});
export type LinksQuery = Type.Static<typeof LinksQuery>;

export const LinkList = Type.Object({
  links: Type.Array(Link, { description: 'Newest first.' }),
  total: Type.Integer({ description: 'How many there are, on all pages together.', examples: [1] }),
});
export type LinkList = Type.Static<typeof LinkList>;
