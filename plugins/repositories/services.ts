import { AUDIT, CLOCK, DATABASE, optional, service } from '../../core/index.ts';
import { CATALOGUE } from '../catalogue/contract.ts';
import { CODE_HOSTS, REPOSITORIES } from './contract.ts';
import { Deletion, DELETION } from './deletion.ts';
import { ENTRIES, Entries } from './entries.ts';
import { Linking, LINKING } from './linking.ts';
import { VISIBLE_ENTRIES, VisibleEntries } from './visible-entries.ts';

export const services = [
  service({
    token: ENTRIES,
    deps: { database: DATABASE, clock: CLOCK, audit: AUDIT },
    create: (deps) => new Entries(deps),
  }),
  service({
    token: LINKING,
    deps: { entries: ENTRIES, catalogue: optional(CATALOGUE) },
    create: (deps) => new Linking(deps),
  }),
  service({
    token: VISIBLE_ENTRIES,
    deps: { entries: ENTRIES, catalogue: optional(CATALOGUE) },
    create: (deps) => new VisibleEntries(deps),
  }),
  service({
    token: REPOSITORIES,
    deps: { entries: ENTRIES, linking: LINKING },
    create: ({ entries, linking }) => ({
      createHosted: (hosted, by) => linking.createHosted(hosted, by),
      findHosted: (host, algorithmId) => entries.findHosted(host, algorithmId),
      updateHosted: (id, changes, by) => entries.updateHosted(id, changes, by),
    }),
  }),
  service({
    token: DELETION,
    deps: { entries: ENTRIES, hosts: CODE_HOSTS },
    create: (deps) => new Deletion(deps),
  }),
];
