import { named, nullable, PagingQuery, timestamp, Type } from '../../core/index.ts';
import type { RepositoryStatus } from './contract.ts';

const Status = Type.Unsafe<RepositoryStatus>(
  Type.Enum(['active', 'archived'], { description: '`archived` is a note; nothing else changes.' }),
);

const fields = {
  name: Type.String({
    minLength: 1,
    maxLength: 200,
    format: 'name',
    pattern: '\\S',
    description: 'What people call it.',
    examples: ['Language detection'],
  }),
  description: Type.String({
    maxLength: 10_000,
    description: 'What it holds, for people.',
    examples: ['The code of the language detection.'],
  }),
  type: Type.String({ maxLength: 100, description: 'Free text; `code` when empty.', examples: ['code'] }),
  repo_url: Type.String({
    maxLength: 2_048,
    description:
      'Where the code is: `https`, `http` or `ssh` without a password, or `user@host:path`. May be empty.',
    examples: ['https://git.example.org/team/code.git'],
  }),
  branch: Type.String({ maxLength: 255, description: '`main` when empty.', examples: ['main'] }),
  local_path: Type.String({
    maxLength: 1_024,
    description: 'A note of where a working copy lies, without `..`; this service never looks there.',
  }),
};

export const RepositoryAnswer = named(
  'Repository',
  Type.Object({
    id: Type.String({ description: 'The identifier of the entry.' }),
    name: Type.String({ description: 'What people call it.', examples: ['Language detection'] }),
    description: Type.String({
      description: 'What it holds, for people.',
      examples: ['The code of the language detection.'],
    }),
    type: Type.String({ description: 'Free text.', examples: ['code'] }),
    repo_url: Type.String({
      description: 'Where the code is; may be empty.',
      examples: ['https://git.example.org/team/code.git'],
    }),
    branch: Type.String({ description: 'The branch that counts.', examples: ['main'] }),
    local_path: Type.String({
      description: 'A note of where a working copy lies; may be empty.',
      examples: [''],
    }),
    algorithm_id: nullable(Type.String({ description: 'The algorithm that it belongs to, or null.' })),
    status: Status,
    host_full_name: nullable(
      Type.String({
        description:
          'Its owner and name on the code-hosting server on which it was made; null for any other. Its address and its ' +
          'algorithm stay as they are.',
        examples: [null],
      }),
    ),
    created_at: timestamp('When the entry was made.'),
    updated_at: timestamp('When the entry last changed.'),
  }),
);

const { name, ...others } = fields;

export const NewRepositoryBody = Type.Object({ name, ...Type.Partial(Type.Object(others)).properties });
export type NewRepositoryInput = Type.Static<typeof NewRepositoryBody>;

export const RepositoryChangesBody = Type.Partial(
  Type.Object({
    ...fields,
    status: Status,
    algorithm_id: nullable(
      Type.String({
        minLength: 1,
        maxLength: 100,
        description: 'Links the entry to an algorithm; null takes the link away.',
      }),
    ),
  }),
);
export type RepositoryChanges = Type.Static<typeof RepositoryChangesBody>;

export const RepositoriesQuery = PagingQuery({
  q: Type.Optional(
    Type.String({ maxLength: 200, description: 'Only those whose name or description contains this.' }),
  ),
  type: Type.Optional(Type.String({ maxLength: 100, description: 'Only those of exactly this type.' })),
  status: Type.Optional(Status),
  algorithm_id: Type.Optional(
    Type.String({ maxLength: 100, description: 'Only those that belong to this algorithm.' }),
  ),
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 1000, description: 'Entries to answer at most; all by default.' }),
  ),
});
export type RepositoriesFilter = Type.Static<typeof RepositoriesQuery>;

export const DeletionQuery = Type.Object(
  {
    hosted: Type.Enum(['delete', 'keep'], {
      default: 'delete',
      description: '`keep` leaves the repository on its code-hosting server and deletes the entry alone.',
    }),
  },
  { additionalProperties: false },
);

const success = Type.Boolean({ description: 'Always true: what fails is a `Problem`.' });
const message = Type.String({
  description: 'What was done.',
  examples: ['Done.'],
});

export const RepositoryListAnswer = Type.Object({
  success,
  repositories: Type.Array(RepositoryAnswer, { description: 'Newest first.' }),
  total: Type.Integer({ description: 'How many match, on all pages together.', examples: [1] }),
});
export const OneRepositoryAnswer = Type.Object({ success, repository: RepositoryAnswer });
export const ChangedRepositoryAnswer = named(
  'ChangedRepository',
  Type.Object({ success, message, repository: RepositoryAnswer }),
);
export const DeletedRepositoryAnswer = Type.Object({
  success,
  message,
  repohost_deleted: Type.Boolean({
    description: 'Whether the repository on the code-hosting server was deleted too.',
  }),
});
