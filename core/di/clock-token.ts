import { token } from './token.ts';
import type { Clock } from '../runtime/clock.ts';

/** The installation's clock. */
export const CLOCK = token<Clock>('core:clock');
