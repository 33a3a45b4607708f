import { defineEvent, nullable, Type } from '../../core/index.ts';

export const routeChanged = defineEvent(
  'gateway:route-changed',
  Type.Object({
    algorithm_id: Type.String(),
    action: Type.Enum(['set', 'promoted', 'rolled_back', 'taken_back', 'version_deleted', 'deleted']),
    changed_by: nullable(Type.String()),
    reason: nullable(Type.String()),
    stable_version_id: Type.String(),
    versions: Type.Array(Type.Object({ version_id: Type.String(), percent: Type.Integer() })),
  }),
  'The route of an algorithm was set, changed or deleted; `taken_back`: a canary failed too often.',
);
