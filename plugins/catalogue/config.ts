import { defineSettings, setting, type SettingsOf, Type } from '../../core/index.ts';

export const CatalogueSettings = defineSettings('catalogue', {
  max_versions: setting(Type.Integer({ minimum: 1, maximum: 10_000 }), {
    default: 200,
    description: 'How many versions an algorithm may have.',
  }),
  answer_cache_mib: setting(Type.Integer({ minimum: 1, maximum: 4_096 }), {
    default: 16,
    description: 'MiB of memory for cached answers of the public reads.',
  }),
  schema_workers: setting(Type.Integer({ minimum: 1, maximum: 64 }), {
    default: 2,
    description: 'Worker threads for schemas that may be costly; they run only while they are needed.',
  }),
  schema_compile_ms: setting(Type.Integer({ minimum: 10, maximum: 60_000 }), {
    default: 200,
    description: 'Milliseconds that a schema may take to compile.',
  }),
  schema_check_ms: setting(Type.Integer({ minimum: 10, maximum: 60_000 }), {
    default: 100,
    description: 'Milliseconds that checking a value against its schema may take.',
  }),
});

export type CatalogueSettings = SettingsOf<typeof CatalogueSettings>;
