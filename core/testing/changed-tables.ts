/** What a statement creates, changes, drops or writes into, followed by its name. */
const CHANGED = [
  /(?:create(?: or replace)?|alter|drop)(?: unlogged)? (?:table|(?:materialized )?view|sequence)(?: if (?:not )?exists)?(?: only)?/,
  /create (?:unique )?index [^(]*? on(?: only)?/,
  /create (?:or replace )?trigger .*? on/,
  /(?:insert|replace|insert or \w+) into/,
  /delete from/,
  /truncate(?: table)?/,
  /update(?: only)?(?= \S+ set )/,
];
const CHANGES = new RegExp(`\\b(?:${CHANGED.map(({ source }) => source).join('|')}) ["\`]?(\\w+)`, 'gi');

/** In SQLite, knex changes a column in a copy of the table, which then takes the place of the table. */
const COPY = /^_knex_temp_alter/;

/** The names of the tables, views and sequences that a statement changes. */
export function changedTables(statement: string): readonly string[] {
  const names = [...statement.replaceAll(/\s+/g, ' ').matchAll(CHANGES)].map(([, name]) => name!);
  return names.filter((name) => !COPY.test(name));
}
