import { showNumber } from '../../format.ts';

const algorithms = (number: number): string =>
  `${showNumber(number)} ${number === 1 ? 'algorithm' : 'algorithms'}`;

export const bulk = {
  label: 'Change several at once',
  select: (name: string) => `Select ${name}`,
  column: 'Selected',
  selected: (number: number) => `${showNumber(number)} selected`,
  page: (number: number) => `Select the ${showNumber(number)} on this page`,
  all: (total: number) => `Select all ${showNumber(total)}`,
  clear: 'Select none',
  change: 'Change the status …',
  question: (number: number, status: string) => `Make ${algorithms(number)} ${status}?`,
  confirm: (status: string) => `Make them ${status}`,
  meanings: {
    active: 'They can be called again.',
    inactive: 'They are shown, but every call is refused.',
    deprecated: 'They keep working; callers are told that they may be removed.',
  },
  running: (status: string) => `Making algorithms ${status}`,
  looking: 'Looking for all that match …',
  progress: (done: number, total: number) => `${showNumber(done)} of ${showNumber(total)}`,
  ended: (status: string) => `The algorithms were made ${status}`,
  summary: (changed: number, unchanged: number, failed: number, left: number) =>
    [
      `${showNumber(changed)} changed`,
      ...(unchanged > 0 ? [`${showNumber(unchanged)} already had it`] : []),
      ...(failed > 0 ? [`${showNumber(failed)} failed`] : []),
      ...(left > 0 ? [`${showNumber(left)} not changed`] : []),
    ].join(', ') + '.',
  again: (number: number) => `Try ${algorithms(number)} again`,
  failures: 'What failed',
  why: 'Why',
};

/** Every text about changes of many algorithms; each other language is a dictionary of this type. */
export type BulkTexts = typeof bulk;
