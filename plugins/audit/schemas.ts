import { ExportFormat, jsonObject, named, nullable, PagingQuery, timestamp, Type } from '../../core/index.ts';

const text = (description: string) => Type.Optional(Type.String({ maxLength: 200, description }));
const outcome = (description: string) =>
  Type.Unsafe<'success' | 'failure'>(Type.Enum(['success', 'failure'], { description }));

const filters = {
  start_date: text('Only entries of then or later: a date (from 00:00 UTC) or a date-time.'),
  end_date: text('Only entries of then or before: a date (to its end, UTC) or a date-time.'),
  actor: text('Only what one account did, by its id or its name; or a command or plugin, by its name.'),
  action: text('Only this action, such as `algorithm.update`.'),
  target_kind: text('Only what was done to this kind of thing, such as `algorithm`.'),
  target_id: text('Only what was done to the thing with this id.'),
  outcome: Type.Optional(
    outcome('Only what succeeded, or only what failed: sign-ins, wrong passwords, and requests for a link.'),
  ),
};

export const AuditQuery = PagingQuery({
  ...filters,
  cursor: Type.Optional(
    Type.String({ description: '`next_cursor` of the page before: as fast on any page as on the first.' }),
  ),
});
export type AuditQuery = Type.Static<typeof AuditQuery>;

export const AuditExportQuery = Type.Object(
  { format: ExportFormat, ...filters },
  { additionalProperties: false },
);

/** Which entries are asked for. */
export type AuditFilter = Omit<Type.Static<typeof AuditExportQuery>, 'format'>;

const orNull = (description: string, example?: string) =>
  nullable(Type.String({ description, ...(example === undefined ? {} : { examples: [example] }) }));

export const Entry = named(
  'AuditEntry',
  Type.Object({
    id: Type.String({ description: 'Ordered by time.' }),
    created_at: timestamp('When it was done; of repeated failures the first one.'),
    action: Type.String({ description: 'What was done.', examples: ['algorithm.update'] }),
    outcome: outcome('`failure` for a wrong password, and for a request for a link that no account gets.'),
    actor_kind: Type.Unsafe<'user' | 'key' | 'command' | 'plugin' | 'anonymous'>(
      Type.Enum(['user', 'key', 'command', 'plugin', 'anonymous'], {
        description:
          'An account that signed in or its API key, a command of the command line, a plugin by itself, or a client without credentials.',
      }),
    ),
    actor_id: orNull('The account.'),
    actor_name: orNull('The name of the account or command, or the id of the plugin.', 'alice'),
    credential_id: orNull('The API key or the token.'),
    target_kind: orNull('What kind of thing it was done to.', 'algorithm'),
    target_id: orNull('The id of the thing. It may have been deleted since.'),
    target_name: orNull('What it was called then; of a failed sign-in the account tried.', 'Edge detection'),
    before: nullable(
      jsonObject({
        description: 'What changed, as it was. Secrets are masked, long values cut.',
        examples: [{ status: 'active' }],
      }),
    ),
    after: nullable(
      jsonObject({ description: 'The same as it is since.', examples: [{ status: 'inactive' }] }),
    ),
    address: orNull('Where the request came from.', '192.0.2.7'),
    request_id: orNull('The request, as in the log.'),
    count: Type.Integer({ description: 'Same failures within a minute are one entry.', examples: [1] }),
  }),
);
export type Entry = Type.Static<typeof Entry>;

export const AuditPage = Type.Object({
  entries: Type.Array(Entry, { description: 'Newest first.' }),
  count: Type.Integer({ description: 'Entries in this answer.', examples: [1] }),
  skip: Type.Integer({ description: 'As it was asked for.' }),
  limit: Type.Integer({ description: 'As it was asked for.', examples: [100] }),
  total: Type.Integer({ description: 'All entries that match.', examples: [1] }),
  next_cursor: nullable(Type.String({ description: 'Leads to the next page; null on the last one.' })),
});
export type AuditPage = Type.Static<typeof AuditPage>;

/** The columns of the table of an export. */
export const COLUMNS = Object.keys(Entry.properties);
