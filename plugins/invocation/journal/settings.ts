import { setting, Type } from '../../../core/index.ts';

/** The setting that decides when records are written. */
export const journalSettings = {
  journal: setting(Type.Enum(['end', 'intent']), {
    default: 'end',
    description:
      'When a call is written: once, when it ends (`end`), or also before its endpoint is asked (`intent`), so that a ' +
      'call that the death of its process cut short leaves a record. `intent` costs two durable writes for each call.',
  }),
} as const;
