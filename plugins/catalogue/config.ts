import { defineSettings, setting, type SettingsOf, Type } from '../../core/index.ts';

export const CatalogueSettings = defineSettings('catalogue', {
  max_versions: setting(Type.Integer({ minimum: 1, maximum: 10_000 }), {
    default: 200,
    description: 'How many versions an algorithm may have.',
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
