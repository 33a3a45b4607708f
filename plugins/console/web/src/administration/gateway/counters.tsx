import { useQuery } from '@tanstack/react-query';
import { Fault } from '../../parts/states.tsx';
import { adminText, showAgo, showNumber } from '../../texts/text.ts';
import { countsQuery, type Statistics } from './queries.ts';

type Count = keyof Omit<Statistics['direct'], 'last_updated'>;

/** What became of all calls, whichever way they came. */
export function Counters() {
  const words = adminText.gateway.counts;
  const { data, error, refetch } = useQuery(countsQuery);
  if (error && !data) return <Fault error={error} retry={() => void refetch()} />;
  const figures: readonly (readonly [string, Count])[] = [
    [words.total, 'total_requests'],
    [words.succeeded, 'successful_requests'],
    [words.failed, 'failed_requests'],
    [words.blocked, 'blocked_requests'],
    [words.limited, 'rate_limited_requests'],
  ];
  return (
    <section className="stack tight" aria-label={words.title}>
      <dl className="figure-cards" aria-busy={!data}>
        {figures.map(([label, count]) => (
          <div key={count} className="card">
            <dt>{label}</dt>
            <dd>{data ? showNumber(data[count] + data.direct[count]) : '…'}</dd>
          </div>
        ))}
      </dl>
      {data && <p className="small quiet">{words.since(showAgo(latest(data)))}</p>}
    </section>
  );
}

function latest({ last_updated, direct }: Statistics): string {
  return last_updated > direct.last_updated ? last_updated : direct.last_updated;
}
