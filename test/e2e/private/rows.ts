import { NAME, type Ids } from './world.ts';

/** A request about an algorithm, by the ids of what exists or of nothing. */
export interface Asked {
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: string;
  readonly body?: object;
}

/** An operation that takes or answers an algorithm or a version. */
export interface Row {
  readonly operation: string;
  /** What a caller asks for. Without it the operation takes no id, and its answer must not tell of the algorithm. */
  readonly ask?: (ids: Ids) => Asked;
  /** Whether a manager of the private algorithm sees it here; otherwise the operation is for administrators. */
  readonly manager: boolean;
  /** Whether it deletes what it is asked about. */
  readonly deletes?: true;
}

const algorithm = ({ algorithm: algorithm_id }: Ids) => ({ algorithm_id });
const version = (ids: Ids) => ({ ...algorithm(ids), version_id: ids.version });
const call = (ids: Ids) => ({ body: { ...version(ids), input_data: {} } });
const byPath = (ids: Ids) => ({ path: version(ids) });
const byQuery = ({ algorithm: id }: Ids) => ({ query: `?algorithm_id=${id}` });
const byVersion = (ids: Ids) => ({ query: `${byQuery(ids).query}&version_id=${ids.version}` });
const withBody = (body: object) => (ids: Ids) => ({ ...byPath(ids), body });

const example = (body?: object) => (ids: Ids) => ({
  path: { ...version(ids), example_id: ids.example },
  ...(body && { body }),
});

const ALGORITHM = '/algorithms/{algorithm_id}';
const VERSION = `${ALGORITHM}/versions/{version_id}`;
const EXAMPLE = `${VERSION}/examples/{example_id}`;
const POLICY = `${ALGORITHM}/payload-policy`;
const ROUTE = '/gateway/routes/{algorithm_id}';

export const ROWS: readonly Row[] = [
  { operation: 'GET /algorithms', manager: true },
  { operation: `GET ${ALGORITHM}`, ask: byPath, manager: true },
  { operation: `PUT ${ALGORITHM}`, ask: withBody({ status: 'active' }), manager: true },
  { operation: `DELETE ${ALGORITHM}`, ask: byPath, manager: true, deletes: true },
  { operation: `GET ${ALGORITHM}/versions`, ask: byPath, manager: true },
  {
    operation: `POST ${ALGORITHM}/versions`,
    ask: withBody({ version: '2', url: 'https://models.example.org/' }),
    manager: true,
  },
  { operation: `GET ${VERSION}`, ask: byPath, manager: true },
  { operation: `PUT ${VERSION}`, ask: withBody({ version: '1' }), manager: true },
  { operation: `DELETE ${VERSION}`, ask: byPath, manager: true, deletes: true },
  { operation: `GET ${VERSION}/examples`, ask: byPath, manager: true },
  {
    operation: `POST ${VERSION}/examples`,
    ask: withBody({ name: 'n', input_data: {} }),
    manager: true,
  },
  { operation: `GET ${EXAMPLE}`, ask: example(), manager: true },
  { operation: `PUT ${EXAMPLE}`, ask: example({ description: 'd' }), manager: true },
  { operation: `DELETE ${EXAMPLE}`, ask: example(), manager: true, deletes: true },
  { operation: `GET ${VERSION}/check`, ask: byPath, manager: true },
  { operation: `GET ${VERSION}/badge.svg`, ask: byPath, manager: true },
  { operation: `GET ${VERSION}/checks`, ask: byPath, manager: true },
  { operation: `POST ${VERSION}/checks`, ask: byPath, manager: true },
  { operation: `GET ${POLICY}`, ask: byPath, manager: true },
  { operation: `PUT ${POLICY}`, ask: withBody({}), manager: true },
  { operation: `DELETE ${POLICY}`, ask: byPath, manager: true, deletes: true },
  { operation: 'POST /algorithms/try', ask: (ids) => ({ body: algorithm(ids) }), manager: true },
  { operation: 'POST /algorithms/call', ask: call, manager: true },
  {
    operation: 'GET /algorithms/calls/{call_id}',
    ask: ({ call: call_id }) => ({ path: { call_id } }),
    manager: true,
  },
  { operation: 'POST /gateway/call', ask: call, manager: true },
  {
    operation: 'POST /gateway/call',
    ask: (ids) => ({ body: { ...algorithm(ids), version_id: 'default', input_data: {} } }),
    manager: true,
  },
  { operation: 'POST /gateway/check', ask: (ids) => ({ body: version(ids) }), manager: true },
  {
    operation: 'POST /gateway/check',
    ask: (ids) => ({ body: { ...algorithm(ids), version_id: 'default' } }),
    manager: true,
  },
  { operation: 'GET /history/user-calls', ask: byQuery, manager: true },
  { operation: 'GET /history/user-calls', manager: true },
  { operation: 'GET /history/export', ask: byQuery, manager: true },
  { operation: 'GET /history/algorithms', manager: true },
  { operation: 'GET /history/statistics', ask: byQuery, manager: true },
  { operation: 'GET /history/series', ask: byQuery, manager: true },
  { operation: 'GET /history/series', ask: byVersion, manager: true },
  { operation: 'GET /monitoring/series', ask: byQuery, manager: true },
  { operation: 'GET /monitoring/series', ask: byVersion, manager: true },
  { operation: 'GET /gateway/refusals', ask: byQuery, manager: true },
  {
    operation: 'GET /monitoring/events',
    ask: (ids) => ({ query: `${byQuery(ids).query}&seconds=1` }),
    manager: true,
  },
  { operation: 'GET /monitoring/callers', ask: byQuery, manager: true },
  { operation: 'GET /monitoring/callers', ask: byVersion, manager: true },
  { operation: 'GET /monitoring/performance/algorithm/{algorithm_id}', ask: byPath, manager: true },
  {
    operation: 'POST /llm/generate-data',
    ask: (ids) => ({ body: { prompt: 'data', version_id: ids.version } }),
    manager: true,
  },
  { operation: 'GET /api-keys', manager: true },
  {
    operation: 'POST /api-keys',
    ask: ({ algorithm: id }) => ({
      body: { name: 'k', expires_at: '2099-01-01T00:00:00Z', algorithms: [id] },
    }),
    manager: true,
  },
  { operation: 'GET /api-keys/{key_id}', ask: ({ key }) => ({ path: { key_id: key } }), manager: true },
  {
    operation: 'PATCH /api-keys/{key_id}',
    ask: ({ algorithm: id, key }) => ({ path: { key_id: key }, body: { algorithms: [id] } }),
    manager: true,
  },
  {
    operation: 'POST /api-keys/{key_id}/rotate',
    ask: ({ key }) => ({ path: { key_id: key }, body: {} }),
    manager: true,
  },
  {
    operation: 'POST /permissions/check',
    ask: (ids) => ({ body: { ...algorithm(ids), permission_type: 'read' } }),
    manager: true,
  },
  { operation: 'GET /permissions/grants', ask: byQuery, manager: true },
  {
    operation: 'POST /permissions/grants',
    ask: (ids) => ({ body: { ...algorithm(ids), user_id: ids.version, permission_type: 'read' } }),
    manager: true,
  },
  {
    operation: 'PATCH /permissions/grants/{grant_id}',
    ask: ({ grant: grant_id }) => ({ path: { grant_id }, body: { expires_at: '2099-01-01T00:00:00Z' } }),
    manager: true,
  },
  {
    operation: 'DELETE /permissions/grants/{grant_id}',
    ask: ({ grant: grant_id }) => ({ path: { grant_id } }),
    manager: true,
    deletes: true,
  },
  { operation: 'GET /repositories', manager: true },
  { operation: 'GET /repositories', ask: byQuery, manager: true },
  {
    operation: 'GET /repositories/{repo_id}',
    ask: ({ repository: repo_id }) => ({ path: { repo_id } }),
    manager: true,
  },

  {
    operation: 'POST /algorithms',
    ask: () => ({ body: { name: NAME, description: '', type: 't' } }),
    manager: false,
  },
  { operation: 'GET /catalogue/export', manager: false },
  {
    operation: 'POST /catalogue/import',
    ask: () => ({ body: { document: { vitrine: 1, algorithms: [] }, prune: true, dry_run: true } }),
    manager: false,
  },
  { operation: 'POST /repositories', ask: () => ({ body: { name: NAME } }), manager: false },
  {
    operation: 'PUT /repositories/{repo_id}',
    ask: (ids) => ({ path: { repo_id: ids.repository }, body: algorithm(ids) }),
    manager: false,
  },
  { operation: 'POST /repohost/repos/create', ask: (ids) => ({ body: algorithm(ids) }), manager: false },
  { operation: 'PATCH /repohost/repos/update', ask: (ids) => ({ body: algorithm(ids) }), manager: false },
  ...['routes', 'policies', 'blocks', 'circuits'].map((rules) => ({
    operation: `GET /gateway/${rules}`,
    manager: false,
  })),
  { operation: 'DELETE /gateway/circuits/{version_id}', ask: byPath, manager: false },
  ...['policies', 'blocks'].flatMap((rules) => {
    const one = `/gateway/${rules}/{${rules === 'blocks' ? 'block' : 'policy'}_id}`;
    const about = ({ algorithm: id }: Ids) => ({
      path: { policy_id: id, block_id: id },
      body: { name: 'n', reason: 'r', subject: 'algorithm', subject_id: id, value: id },
    });
    return [
      { operation: `POST /gateway/${rules}`, ask: about, manager: false },
      { operation: `GET ${one}`, ask: (ids: Ids) => ({ path: about(ids).path }), manager: false },
      { operation: `PUT ${one}`, ask: about, manager: false },
    ];
  }),
  { operation: `GET ${ROUTE}`, ask: byPath, manager: false },
  { operation: `PUT ${ROUTE}`, ask: withBody({ versions: [] }), manager: false },
  { operation: `DELETE ${ROUTE}`, ask: byPath, manager: false },
  { operation: `POST ${ROUTE}/rollback`, ask: withBody({}), manager: false },
  { operation: `POST ${ROUTE}/promote`, ask: withBody({}), manager: false },
];
