import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { Fault, Skeleton } from '../../parts/states.tsx';
import { useTitle } from '../../parts/title.ts';
import { adminText, text } from '../../texts/text.ts';
import { useIsOn } from '../../pages/page-list.ts';
import { groupQuery, type Group } from '../queries.ts';
import { ChangeGroup, DeleteGroup } from './group-dialogs.tsx';
import { GroupGrants } from './group-grants.tsx';
import { GroupMembers } from './group-members.tsx';

/** A group, with who belongs to it and what it may do. */
export function GroupPage() {
  const { groupId } = useParams({ from: '/administration/groups/$groupId' });
  const { data: group, error, refetch } = useQuery(groupQuery(groupId));
  const isOn = useIsOn();
  useTitle(group?.name ?? text.sections.groups);
  if (error && !group) return <Fault error={error} retry={() => void refetch()} />;
  return (
    <>
      <div className="page-head">
        <p className="crumbs">
          <Link to="/administration/groups">← {text.sections.groups}</Link>
        </p>
        {group ? <Head group={group} /> : <Skeleton style={{ height: 34, width: 220 }} />}
      </div>
      {group ? (
        <>
          <GroupMembers key={group.id} group={group} />
          {isOn('permissions') && <GroupGrants group={group} />}
        </>
      ) : (
        <Skeleton style={{ height: 320, borderRadius: 14 }} />
      )}
    </>
  );
}

function Head({ group }: { readonly group: Group }) {
  const words = adminText.groups;
  const [asked, setAsked] = useState<'change' | 'delete'>();
  const close = () => setAsked(undefined);
  return (
    <div className="row between">
      <div>
        <h1>{group.name}</h1>
        {group.description && <p className="quiet">{group.description}</p>}
      </div>
      <div className="row">
        <button type="button" className="button" onClick={() => setAsked('change')}>
          {text.keys.change}
        </button>
        <button type="button" className="button danger" onClick={() => setAsked('delete')}>
          {words.delete}
        </button>
      </div>
      {asked === 'change' && <ChangeGroup group={group} close={close} />}
      {asked === 'delete' && <DeleteGroup group={group} close={close} />}
    </div>
  );
}
