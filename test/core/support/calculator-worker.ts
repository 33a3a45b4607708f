import { answerOrders } from '../../../core/support/worker-answers.ts';

export type Sum = readonly number[] | 'exit' | 'throw';

/** Adds numbers to what it was given, in a thread. */
answerOrders((data: number) => ({
  answer: (order: Sum): number => {
    if (order === 'exit') process.exit(3);
    if (order === 'throw') throw Object.assign(new Error('That is no sum.'), { code: 'NO_SUM' });
    return order.reduce((sum, value) => sum + value, data);
  },
}));
