import { token } from './token.ts';
import type { Clock } from '../support/clock.ts';

/** The installation's clock. */
export const CLOCK = token<Clock>('core:clock');
