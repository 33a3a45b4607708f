/** Runs in threads of their own, which give way to others: a hash takes a core for as long as a hundred calls. */
import { hashSync, verifySync } from '@node-rs/argon2';
import type { Answerer } from '../../core/index.ts';
import type { HashOrder } from './hash-orders.ts';

/** A `WorkerModule`. */
export default function answerer(): Answerer<HashOrder, string | boolean> {
  return {
    answer: (order) =>
      order.kind === 'hash' ? hashSync(order.password, order.cost) : verifySync(order.hash, order.password),
  };
}
