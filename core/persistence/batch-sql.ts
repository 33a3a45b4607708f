import type { BatchInsert } from './database.ts';

/** Quotes a table or column name. */
export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** For PostgreSQL: `?` becomes `$1`, `$2` …, except in quoted text. */
export function numbered(sql: string): string {
  let count = 0;
  return sql.replace(/'(?:[^']|'')*'|"[^"]*"|\?/g, (found) => (found === '?' ? `$${++count}` : found));
}

/** `INSERT INTO "t" ("a", "b")`. */
export function insertInto({ table, columns }: BatchInsert): string {
  return `INSERT INTO ${quoted(table)} (${Object.keys(columns).map(quoted).join(', ')})`;
}

/** ` ON CONFLICT …`, the same on both engines; empty without a rule. */
export function onConflict({ table, onConflict: rule }: Pick<BatchInsert, 'table' | 'onConflict'>): string {
  if (!rule) return '';
  const added = (rule.add ?? []).map(
    (c) => `${quoted(c)} = ${quoted(table)}.${quoted(c)} + excluded.${quoted(c)}`,
  );
  const set = (rule.set ?? []).map((c) => `${quoted(c)} = excluded.${quoted(c)}`);
  const highest = (rule.max ?? []).map((c) => {
    const [now, then] = [`excluded.${quoted(c)}`, `${quoted(table)}.${quoted(c)}`];
    return `${quoted(c)} = CASE WHEN ${now} > ${then} THEN ${now} ELSE ${then} END`;
  });
  const changes = [...added, ...set, ...highest].join(', ');
  return ` ON CONFLICT (${rule.key.map(quoted).join(', ')}) DO ${changes ? `UPDATE SET ${changes}` : 'NOTHING'}`;
}
