import { count } from '../../count.ts';

export const payloads = {
  intro:
    'Every call leaves a record: who called, when, and how it ended. Here you choose what it keeps of the input and the answer. Callers are always answered in full; records that exist stay as they are.',
  changed: (moment: string, by: string | null) => `Changed on ${moment}${by === null ? '' : ` by ${by}`}.`,
  title: 'What records keep',
  fields: { input_data: 'Input', params: 'Parameters', output_data: 'Output' },
  keep: (field: string) => `${field}: what is kept`,
  modes: { store: 'Everything', redact: 'All but some fields', hash: 'A digest', drop: 'Nothing' },
  meanings: {
    store: 'As it was sent or answered.',
    redact: 'The fields below are stored as “[redacted]”.',
    hash: 'It only shows whether two values are equal.',
    drop: 'Nothing is stored, not even whether there was a value.',
  },
  pointers: (field: string) => `${field}: fields to hide`,
  pointersHint: 'One JSON pointer per line; * stands for every item of an array or member of an object.',
  places: 'Fields of the example',
  hide: (place: string) => `Hide ${place}`,
  save: 'Save',
  reset: 'Keep everything again',
  resetTitle: 'Keep everything again?',
  resetText: 'From the next call on, records keep input, parameters and output in full.',
  preview: 'What a record would keep',
  sample: 'Example',
  noSample: 'The default version has no example. Save one to see here what its record would keep.',
  unknown: 'The example has none.',
  dropped: 'Nothing.',
  hashed: 'a digest in place of the value',
  howLong: 'For how long',
  payloads: 'Input, parameters and output',
  records: 'The records themselves',
  kept: (days: number, most: number) => {
    if (days === 0 && most === 0) return 'for ever';
    const parts = [
      ...(days > 0 ? [`for ${count(days, 'day')}`] : []),
      ...(most > 0 ? [`at most the last ${count(most, 'call')}`] : []),
    ];
    return parts.join(', ');
  },
  bySettings: 'Set in the settings, for all algorithms.',
};

/** Every text about what records keep; each other language is a dictionary of this type. */
export type PayloadTexts = typeof payloads;
