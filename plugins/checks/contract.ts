import { defineEvent, Type } from '../../core/index.ts';

const ids = {
  algorithm_id: Type.String(),
  version_id: Type.String(),
};

export const versionBroke = defineEvent(
  'checks:version-broke',
  Type.Object({
    ...ids,
    since: Type.String({ description: 'When the first of the checks in a row failed.' }),
    failed_runs: Type.Integer({ description: 'How many checks in a row have failed.' }),
  }),
  'The last `checks.broken_after` checks of a version failed; emitted once, until a check passes again.',
);

export const versionMended = defineEvent(
  'checks:version-mended',
  Type.Object({
    ...ids,
    failed_runs: Type.Integer({ description: 'How many checks in a row had failed before.' }),
  }),
  'A check of a version passed after `checks:version-broke`.',
);
