import Type from 'typebox';
import { defineSettings, setting, type SettingsOf } from '../../core/index.ts';

/** Settings of the embedded algorithms. */
export const SamplesSettings = defineSettings('samples', {
  seed: setting(Type.Boolean(), {
    default: true,
    description: 'Whether the samples are put into an empty catalogue, once.',
  }),
  workers: setting(Type.Integer({ minimum: 1, maximum: 16 }), {
    default: 2,
    description: 'Worker processes that run embedded algorithms; started when needed, ended when idle.',
  }),
  memory_mb: setting(Type.Integer({ minimum: 192, maximum: 16384 }), {
    default: 768,
    description:
      'Memory of one worker process in MiB, half of it heap; an algorithm that needs more is ended.',
  }),
});

export type SamplesSettings = SettingsOf<typeof SamplesSettings>;
