import Type from 'typebox';
import { finiteNumber } from '../statistics/schema.ts';

/** A series of evenly spaced observations. */
export function seriesField(minItems: number, maxItems: number) {
  return Type.Array(finiteNumber(), {
    title: 'Series',
    description: 'Evenly spaced observations, oldest first, without gaps.',
    minItems,
    maxItems,
    'x-order': 0,
  });
}
