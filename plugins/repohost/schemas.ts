import { named, Type, type Static } from '../../core/index.ts';

/** What stands for a token that is set and never shown. */
export const MASK = '********';

/** The names of users and organisations on Gitea and Forgejo. */
const OWNER = '^$|^[A-Za-z0-9](?:[A-Za-z0-9]|[-_.](?=[A-Za-z0-9]))*$';
const PREFIX = '^(?!.*\\.\\.)[A-Za-z0-9._-]*$';

const configuration = {
  server_url: Type.String({
    maxLength: 2_048,
    description:
      'Where the server starts, `http` or `https`: https://git.example.org. Slashes and `/api/v1` at its end are left out.',
    examples: ['https://git.example.org'],
  }),
  default_owner: Type.String({
    maxLength: 40,
    pattern: OWNER,
    examples: ['team'],
    description:
      "The organisation that owns new repositories; empty, or the token's own user, for that user.",
  }),
  repo_prefix: Type.String({
    maxLength: 60,
    pattern: PREFIX,
    examples: ['algorithm-'],
    description: "What the names of new repositories begin with; the algorithm's identifier follows.",
  }),
};

const accessToken = Type.String({
  maxLength: 1_024,
  pattern: '^[\\x21-\\x7e]*$',
  // A form that is sent unchanged contains the example; an empty token keeps the one that is set.
  examples: [''],
  description: 'Scopes: write:repository, write:user and, for an organisation, write:organization.',
});

export const ConfigurationBody = Type.Partial(Type.Object({ ...configuration, access_token: accessToken }));
export type ConfigurationInput = Static<typeof ConfigurationBody>;

export const ConfigurationAnswer = named(
  'CodeHostingConfiguration',
  Type.Object({
    ...configuration,
    access_token: Type.String({ description: `\`${MASK}\` when one is set; sent back, it changes nothing.` }),
    access_token_set: Type.Boolean(),
  }),
);
export type ConfigurationAnswer = Static<typeof ConfigurationAnswer>;

const algorithmId = Type.String({ minLength: 1, maxLength: 100 });
const description = Type.String({ maxLength: 2_048 });

export const NewHostedBody = Type.Object({
  algorithm_id: algorithmId,
  algorithm_name: Type.Optional(Type.String({ maxLength: 200, description: 'Names the entry in the list.' })),
  description: Type.Optional(description),
  private: Type.Optional(Type.Boolean({ description: 'By default as `repohost.create_private` says.' })),
});
export type NewHostedInput = Static<typeof NewHostedBody>;

export const HostedChangesBody = Type.Object({
  algorithm_id: algorithmId,
  description: Type.Optional(description),
  private: Type.Optional(Type.Boolean()),
});
export type HostedChanges = Static<typeof HostedChangesBody>;

export const HostedRepositoryAnswer = named(
  'CodeHostedRepository',
  Type.Object({
    id: Type.Integer(),
    name: Type.String(),
    full_name: Type.String(),
    description: Type.String(),
    private: Type.Boolean(),
    html_url: Type.String(),
  }),
);
export type HostedRepositoryAnswer = Static<typeof HostedRepositoryAnswer>;

export const DoneAnswer = Type.Object({ success: Type.Boolean(), message: Type.String() });

export const ConnectionAnswer = Type.Object({
  success: Type.Boolean(),
  message: Type.String(),
  version: Type.String({ description: 'What the server says of its own version.' }),
  login: Type.String({ description: "The token's user." }),
  owner: Type.String({ description: 'Who would own a new repository.' }),
});
export type ConnectionAnswer = Static<typeof ConnectionAnswer>;
