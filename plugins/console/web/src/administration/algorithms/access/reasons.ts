import { queryOptions } from '@tanstack/react-query';
import { api, dataOf, dataUnlessOff } from '../../../api/client.ts';
import type { Algorithm } from '../../../api/queries.ts';
import { RIGHTS, type Right } from '../../grants/rights.ts';
import type { Grant, Group } from '../../queries.ts';

/** One reason for which an account may do something. */
export interface Reason {
  readonly kind: 'admin' | 'open' | 'restricted' | 'direct' | 'group' | 'everyone';
  readonly right: Right;
  /** The group that holds the right. */
  readonly group?: Group;
  readonly until?: string | null;
}

const MOST = 100;

/** What an account may do with an algorithm, and all reasons for it. */
export const reasonsQuery = ({ id, access }: Algorithm, user_id: string) =>
  queryOptions({
    queryKey: ['administration', 'reasons', id, access, user_id],
    queryFn: async ({ signal }) => {
      const user = await dataOf(api.GET('/users/{user_id}', { params: { path: { user_id } }, signal }));
      const groups = new Map((await allGroups(user_id, signal)).map((group) => [group.id, group]));
      const granted = (await allGrants(id, signal)).flatMap((grant) => reasonOf(grant, user_id, groups));
      const reasons: Reason[] = [
        ...(user.role === 'admin' ? [{ kind: 'admin', right: 'manage' } as const] : []),
        ...(access === 'open' ? [{ kind: 'open', right: 'execute' } as const] : []),
        ...(access === 'restricted' ? [{ kind: 'restricted', right: 'read' } as const] : []),
        ...granted,
      ];
      const right = RIGHTS.findLast((each) => reasons.some((reason) => reason.right === each));
      return { isActive: user.status === 'active', right, reasons };
    },
  });

function reasonOf(
  { user_id: holder, group_id, everyone, permission_type: right, expires_at: until }: Grant,
  user_id: string,
  groups: ReadonlyMap<string, Group>,
): readonly Reason[] {
  if (holder === user_id) return [{ kind: 'direct', right, until }];
  if (everyone) return [{ kind: 'everyone', right, until }];
  const group = group_id === null ? undefined : groups.get(group_id);
  return group ? [{ kind: 'group', right, group, until }] : [];
}

/** The groups of an account; none where there are no groups. */
async function allGroups(user_id: string, signal: AbortSignal): Promise<readonly Group[]> {
  const groups: Group[] = [];
  for (;;) {
    const query = { user_id, skip: groups.length, limit: MOST };
    const page = await dataUnlessOff(api.GET('/groups', { params: { query }, signal }));
    groups.push(...(page?.groups ?? []));
    if (!page || page.groups.length === 0 || groups.length >= page.total) return groups;
  }
}

/** The grants on an algorithm; none where nothing keeps any. */
async function allGrants(algorithm_id: string, signal: AbortSignal): Promise<readonly Grant[]> {
  const grants: Grant[] = [];
  for (;;) {
    const query = { algorithm_id, skip: grants.length, limit: MOST };
    const page = await dataUnlessOff(api.GET('/permissions/grants', { params: { query }, signal }));
    grants.push(...(page?.grants ?? []));
    if (!page || page.grants.length === 0 || grants.length >= page.total) return grants;
  }
}
