import { named, Type } from '../../core/index.ts';
import { EXAMPLE_ALGORITHM_ID } from '../catalogue/contract.ts';

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
      "The organisation that owns new repositories; empty, or the token's own user, for that user. Letters and digits, " +
      'with single - _ . between them.',
  }),
  repo_prefix: Type.String({
    maxLength: 60,
    pattern: PREFIX,
    examples: ['algorithm-'],
    description:
      "What the names of new repositories begin with; the algorithm's identifier follows. Letters, digits and . _ -, " +
      'without two dots in a row.',
  }),
};

const accessToken = Type.String({
  maxLength: 1_024,
  pattern: '^[\\x21-\\x7e]*$',
  // A form that is sent unchanged contains the example; an empty token keeps the one that is set.
  examples: [''],
  description:
    'Visible ASCII characters. Scopes: write:repository, write:user and, for an organisation, write:organization.',
});

export const ConfigurationBody = Type.Partial(Type.Object({ ...configuration, access_token: accessToken }));
export type ConfigurationInput = Type.Static<typeof ConfigurationBody>;

export const ConfigurationAnswer = named(
  'CodeHostingConfiguration',
  Type.Object({
    ...configuration,
    access_token: Type.String({
      description: `\`${MASK}\` when one is set; sent back, it changes nothing.`,
      examples: [MASK],
    }),
    access_token_set: Type.Boolean({ description: 'Whether a token is set.' }),
  }),
);
export type ConfigurationAnswer = Type.Static<typeof ConfigurationAnswer>;

const algorithmId = Type.String({
  minLength: 1,
  maxLength: 100,
  description: 'The algorithm whose code the repository holds.',
  examples: [EXAMPLE_ALGORITHM_ID],
});
const description = Type.String({
  maxLength: 2_048,
  description: 'What the repository says of itself on the server.',
  examples: ['Tells in which language a text is written.'],
});

export const NewHostedBody = Type.Object({
  algorithm_id: algorithmId,
  algorithm_name: Type.Optional(
    Type.String({
      maxLength: 200,
      description: 'Names the entry in the list.',
      examples: ['Language detection'],
    }),
  ),
  description: Type.Optional(description),
  private: Type.Optional(Type.Boolean({ description: 'By default as `repohost.create_private` says.' })),
});
export type NewHostedInput = Type.Static<typeof NewHostedBody>;

export const HostedChangesBody = Type.Object({
  algorithm_id: algorithmId,
  description: Type.Optional(description),
  private: Type.Optional(Type.Boolean({ description: 'Whether only members may see it.' })),
});
export type HostedChanges = Type.Static<typeof HostedChangesBody>;

export const HostedRepositoryAnswer = named(
  'CodeHostedRepository',
  Type.Object({
    id: Type.Integer({ description: 'Its number on the code-hosting server.', examples: [42] }),
    name: Type.String({
      description: '`repo_prefix` and the id of the algorithm.',
      examples: [`algorithm-${EXAMPLE_ALGORITHM_ID}`],
    }),
    full_name: Type.String({
      description: 'The owner and the name.',
      examples: [`team/algorithm-${EXAMPLE_ALGORITHM_ID}`],
    }),
    description: Type.String({
      description: 'What it says of itself on the server.',
      examples: ['Tells in which language a text is written.'],
    }),
    private: Type.Boolean({ description: 'Whether only members may see it.' }),
    html_url: Type.String({
      description: 'Its page.',
      examples: [`https://git.example.org/team/algorithm-${EXAMPLE_ALGORITHM_ID}`],
    }),
  }),
);
export type HostedRepositoryAnswer = Type.Static<typeof HostedRepositoryAnswer>;

const success = Type.Boolean({ description: 'Always true: what fails is a `Problem`.' });

export const DoneAnswer = named(
  'HostingDone',
  Type.Object({
    success,
    message: Type.String({ description: 'What was done.', examples: ['Done.'] }),
  }),
);

export const ConnectionAnswer = Type.Object({
  success,
  message: Type.String({ description: 'What was found.', examples: ['Done.'] }),
  version: Type.String({ description: 'What the server says of its own version.', examples: ['1.23.1'] }),
  login: Type.String({ description: "The token's user.", examples: ['vitrine'] }),
  owner: Type.String({ description: 'Who would own a new repository.', examples: ['team'] }),
});
export type ConnectionAnswer = Type.Static<typeof ConnectionAnswer>;
