import { count } from '../../count.ts';

export const payloads = {
  intro:
    'Every call leaves a record: who called, when, and how it ended. Here you say what it keeps of what was sent and answered. Callers are always answered in full; records that exist stay as they are.',
  changed: (moment: string, by: string | null) => `Changed on ${moment}${by === null ? '' : ` by ${by}`}.`,
  title: 'What records keep',
  fields: { input_data: 'Input', params: 'Parameters', output_data: 'Output' },
  keep: (field: string) => `${field}: what is kept`,
  modes: { store: 'Everything', redact: 'All but some places', hash: 'A digest', drop: 'Nothing' },
  meanings: {
    store: 'As it was sent or answered.',
    redact: 'What the places below hold is kept as “[redacted]”.',
    hash: 'It tells equal payloads from different ones, and nothing else.',
    drop: 'Not even whether it was empty.',
  },
  pointers: (field: string) => `${field}: places to hide`,
  pointersHint: 'One JSON pointer on each line; * is every item of a list and every member of a group.',
  places: 'Places of the example',
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
      ...(most > 0 ? [`of the last ${count(most, 'call')}`] : []),
    ];
    return parts.join(', ');
  },
  bySettings: 'The settings say so for all algorithms.',
};

/** Every text about what records keep; each other language is a dictionary of this type. */
export type PayloadTexts = typeof payloads;
