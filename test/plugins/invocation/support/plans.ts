import type { Database, SqlValue, Transaction } from '../../../../core/index.ts';

interface Statement {
  readonly sql: string;
  readonly values: readonly SqlValue[];
}

/** A statement as it was asked. */
export interface Asked extends Statement {
  /** The ways in which PostgreSQL may plan it. */
  readonly plans: readonly PlanKind[];
}

/** `generic` is what a prepared statement may become after some uses: planned once for all values. */
export type PlanKind = 'custom' | 'generic';

/** The database, and every prepared read that goes through it. */
export function overheard(database: Database): { readonly database: Database; readonly asked: Asked[] } {
  const asked: Asked[] = [];
  const read: Database['read'] = <Row>(...given: Parameters<Database['read']>) => {
    const [sql, options] = given;
    const statement = database.read<Row>(...given);
    const plans: readonly PlanKind[] = options?.plansEachUse === true ? ['custom'] : ['custom', 'generic'];
    return {
      all: (...values) => (asked.push({ sql, values, plans }), statement.all(...values)),
      first: (...values) => (asked.push({ sql, values, plans }), statement.first(...values)),
    };
  };
  return { database: { ...database, read }, asked };
}

interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Actual Loops': number;
  readonly 'Shared Hit Blocks': number;
  readonly 'Shared Read Blocks': number;
  readonly Plans?: readonly PlanNode[];
}

/** What PostgreSQL did for a statement. */
export interface Plan {
  /** The kinds of its steps, each once. */
  readonly kinds: ReadonlySet<string>;
  /** The partitions in the plan, and those of them that were read. */
  readonly planned: ReadonlySet<string>;
  readonly scanned: ReadonlySet<string>;
  readonly pages: number;
}

export async function planOn(trx: Transaction, asked: Statement, kind: PlanKind): Promise<Plan> {
  await trx.raw(`SET LOCAL plan_cache_mode = force_${kind}_plan`);
  const execute = await prepare(trx, asked);
  const { rows } = await trx.raw<{ rows: { 'QUERY PLAN': [{ Plan: PlanNode }] }[] }>(
    `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${execute}`,
  );
  await trx.raw('DEALLOCATE asked');
  return summed(rows[0]!['QUERY PLAN'][0].Plan);
}

/** How many of twenty uses of a prepared statement are planned for their values. */
export async function plannedAnew(trx: Transaction, asked: Asked): Promise<number> {
  const execute = await prepare(trx, asked);
  for (let use = 0; use < 20; use += 1) await trx.raw(execute);
  const { rows } = await trx.raw<{ rows: { custom_plans: number }[] }>(
    `SELECT custom_plans FROM pg_prepared_statements WHERE name = 'asked'`,
  );
  await trx.raw('DEALLOCATE asked');
  return rows[0]!.custom_plans;
}

/** Prepares a statement under the name `asked` and answers how to use it. */
async function prepare(trx: Transaction, { sql, values }: Statement): Promise<string> {
  let count = 0;
  await trx.raw(`PREPARE asked AS ${sql.replaceAll('?', () => `$${(count += 1)}`)}`);
  const literals = values.map((value) => (typeof value === 'number' ? value : `'${value}'`)).join(', ');
  return `EXECUTE asked${values.length > 0 ? `(${literals})` : ''}`;
}

function isOfOpenCalls(node: PlanNode): boolean {
  if (node['Relation Name'] !== undefined) return node['Relation Name'] === 'invocation_open_calls';
  return node.Plans?.every(isOfOpenCalls) ?? false;
}

function summed(root: PlanNode): Plan {
  const nodes: PlanNode[] = [];
  const walk = (node: PlanNode): void => {
    // Open calls are few, in whatever way they are read.
    if (isOfOpenCalls(node)) return;
    nodes.push(node);
    node.Plans?.forEach(walk);
  };
  walk(root);
  const tables = (some: readonly PlanNode[]) => new Set(some.flatMap((node) => node['Relation Name'] ?? []));
  return {
    kinds: new Set(nodes.map((node) => node['Node Type'])),
    planned: tables(nodes),
    scanned: tables(nodes.filter((node) => node['Actual Loops'] > 0)),
    pages: root['Shared Hit Blocks'] + root['Shared Read Blocks'],
  };
}

/** What SQLite would do for a statement, line by line. */
export async function planOnSqlite(database: Database, { sql, values }: Statement): Promise<string[]> {
  const rows = await database.read<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`).all(...values);
  return rows.map(({ detail }) => detail);
}
