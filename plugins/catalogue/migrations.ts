import type { Engine, Migration } from '../../core/index.ts';

/** Text in the same order on both engines. */
const bytewise = (engine: Engine) => (engine === 'postgres' ? 'text COLLATE "C"' : 'text');

export const migrations: readonly Migration[] = [
  {
    name: '0001_tables',
    up: async (trx, engine) => {
      await trx.schema.createTable('catalogue_algorithms', (table) => {
        table.text('id').primary();
        table.text('name').notNullable();
        table.text('description').notNullable();
        table.text('type').notNullable();
        table.text('status').notNullable();
        table.text('access').notNullable();
        table.text('default_version_id');
        table.text('tags').notNullable();
        table.text('search_text').notNullable();
        table.specificType('name_key', bytewise(engine)).notNullable();
        table.text('created_at').notNullable();
        table.text('updated_at').notNullable();
        // In the orders of lists, so that a page is read and not sorted for.
        table.index(['created_at', 'id']);
        table.index(['updated_at', 'id']);
        table.index(['name_key', 'id']);
        // Whole, so that counting what is not private by type and status needs no row.
        table.index(['access', 'type', 'status']);
      });
      // Beside the algorithms, because lists read through those.
      await trx.schema.createTable('catalogue_readmes', (table) => {
        table.text('algorithm_id').primary().references('id').inTable('catalogue_algorithms');
        table.text('readme').notNullable();
      });
      await trx.schema.createTable('catalogue_tags', (table) => {
        table.text('algorithm_id').notNullable().references('id').inTable('catalogue_algorithms');
        table.specificType('tag_key', bytewise(engine)).notNullable();
        table.specificType('tag', bytewise(engine)).notNullable();
        table.primary(['algorithm_id', 'tag_key']);
        // Whole, so that counting tags needs no row.
        table.index(['tag_key', 'algorithm_id', 'tag']);
      });
      await trx.schema.createTable('catalogue_versions', (table) => {
        table.text('id').primary();
        table.text('algorithm_id').notNullable().references('id').inTable('catalogue_algorithms');
        table.text('version').notNullable();
        table.text('version_key').notNullable();
        table.text('url').notNullable();
        table.text('params');
        table.text('input_schema');
        table.text('output_schema');
        table.text('schema_too_costly_since');
        table.text('schema_paused_until');
        table.text('created_at').notNullable();
        table.text('updated_at').notNullable();
        table.unique(['algorithm_id', 'version_key']);
      });
      await trx.schema.createTable('catalogue_examples', (table) => {
        table.text('id').primary();
        table.text('algorithm_id').notNullable().references('id').inTable('catalogue_algorithms').index();
        table.text('version_id').notNullable().references('id').inTable('catalogue_versions').index();
        table.text('name').notNullable();
        table.text('description').notNullable();
        table.boolean('is_default').notNullable();
        table.text('misfit');
        table.text('created_at').notNullable();
        table.text('updated_at').notNullable();
        table.text('input_data').notNullable();
        table.text('params').notNullable();
        table.text('output_data');
        table.text('tolerance');
      });
      await trx.schema.createTable('catalogue_import_lock', (table) => {
        table.text('id').primary();
        table.text('holder').notNullable();
        table.text('lease_until').notNullable();
      });
    },
  },
];
