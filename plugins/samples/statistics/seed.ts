/** The parameter of every algorithm that uses chance: the same seed gives the same answer. */
export const seedParam = {
  type: 'integer',
  default: 1,
  min: 0,
  max: 2_147_483_647,
  title: 'Seed',
  description: 'Start of the pseudo-random numbers. The same seed gives the same answer.',
  'x-order': 99,
  'x-advanced': true,
} as const;
