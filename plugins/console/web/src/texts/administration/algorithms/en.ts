import { showNumber } from '../../format.ts';

export const algorithms = {
  intro: 'What the catalogue shows, where it is called, and who may do what with it.',
  add: 'New algorithm',
  search: 'Search by name, description or tag',
  anyType: 'Any type',
  anyTag: 'Any tag',
  tag: 'Tag',
  count: (total: number) => `${showNumber(total)} ${total === 1 ? 'algorithm' : 'algorithms'}`,
  emptyTitle: 'No algorithms yet',
  empty: 'All that is needed is the address of an endpoint and a JSON Schema of what it takes.',
  changed: 'Changed',
  seeInCatalogue: 'See it in the catalogue',
  tabs: {
    general: 'General',
    versions: 'Versions',
    access: 'Access',
    rollout: 'Rollout',
    payloads: 'Payloads',
  },
};

/** Every text of the screens for algorithms; each other language is a dictionary of this type. */
export type AlgorithmTexts = typeof algorithms;
