import type { Answerer } from '../../../core/support/worker-messages.ts';

export type Sum = readonly number[] | 'exit' | 'throw';

/** Adds numbers to what it was given, in a thread. */
export default function calculator(data: unknown): Answerer<Sum, number> {
  return {
    answer: (order) => {
      if (order === 'exit') process.exit(3);
      if (order === 'throw') throw Object.assign(new Error('That is no sum.'), { code: 'NO_SUM' });
      return order.reduce((sum, value) => sum + value, data as number);
    },
  };
}
