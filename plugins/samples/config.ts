import Type from 'typebox';
import { defineSettings, setting, type SettingsOf } from '../../core/index.ts';

/** Settings of the embedded algorithms. */
export const SamplesSettings = defineSettings('samples', {
  seed: setting(Type.Boolean(), {
    default: true,
    description: 'Whether the samples are put into an empty catalogue, once.',
  }),
  memory_mb: setting(Type.Integer({ minimum: 256, maximum: 16384 }), {
    default: 768,
    description:
      'Memory of each of the two worker processes of embedded algorithms in MiB, half of it heap; an algorithm that needs more is ended.',
  }),
});

export type SamplesSettings = SettingsOf<typeof SamplesSettings>;
