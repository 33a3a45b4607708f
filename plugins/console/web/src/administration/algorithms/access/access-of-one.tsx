import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { Algorithm } from '../../../api/queries.ts';
import { Fault, Skeleton } from '../../../parts/states.tsx';
import { adminText, showDate } from '../../../texts/text.ts';
import { PickUser } from '../../pick.tsx';
import { reasonsQuery, type Reason } from './reasons.ts';

/** What one account may do with an algorithm, and why. */
export function AccessOfOne({ algorithm }: { readonly algorithm: Algorithm }) {
  const words = adminText.access;
  const [one, setOne] = useState<string>();
  return (
    <section className="card" aria-labelledby="why">
      <header>
        <h2 id="why">{words.why}</h2>
      </header>
      <div className="body stack">
        <PickUser find={words.findUser} chosen={one} choose={setOne} />
        {one && <Reasons algorithm={algorithm} userId={one} />}
      </div>
    </section>
  );
}

function Reasons({ algorithm, userId }: { readonly algorithm: Algorithm; readonly userId: string }) {
  const words = adminText.access;
  const { data, error, refetch } = useQuery(reasonsQuery(algorithm, userId));
  if (error) return <Fault error={error} retry={() => void refetch()} />;
  if (!data) return <Skeleton style={{ height: 60 }} />;
  return (
    <div className="stack tight" role="status">
      <p>
        <strong>{data.isActive ? words.may[data.right ?? 'nothing'] : words.disabled}</strong>
      </p>
      <ul className="reasons">
        {data.reasons.map((reason, place) => (
          <li key={place}>
            <Because reason={reason} />
          </li>
        ))}
      </ul>
    </div>
  );
}

function Because({ reason }: { readonly reason: Reason }) {
  const words = adminText.access;
  const { kind, right, group, until } = reason;
  return (
    <>
      <span className="badge">{adminText.grants.rights[right]}</span> {words.reasons[kind]}
      {group && (
        <>
          {' '}
          <Link to="/administration/groups/$groupId" params={{ groupId: group.id }}>
            {group.name}
          </Link>
        </>
      )}
      {until && <small className="quiet"> {words.untilDay(showDate(until))}</small>}
    </>
  );
}
