import { showNumber } from './format.ts';

/** `1 call`, `1,200 calls`: a number of things in English. */
export const count = (number: number, one: string, many = `${one}s`): string =>
  `${showNumber(number)} ${number === 1 ? one : many}`;
