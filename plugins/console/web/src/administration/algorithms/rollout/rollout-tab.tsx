import { queryOptions, useQuery } from '@tanstack/react-query';
import { api, dataUnlessOff } from '../../../api/client.ts';
import type { Algorithm } from '../../../api/queries.ts';
import { useLostFocus } from '../../../parts/lost-focus.ts';
import { Empty, Fault, Skeleton } from '../../../parts/states.tsx';
import { adminText, text } from '../../../texts/text.ts';
import { RouteHistory } from './route-history.tsx';
import { ServedNow } from './served-now.tsx';
import { ShareForm } from './share-form.tsx';

const REFRESH_MS = 5000;

/** The route of an algorithm; null where it has none. */
const presentRouteQuery = (algorithm_id: string) =>
  queryOptions({
    queryKey: ['administration', 'route', algorithm_id],
    queryFn: async ({ signal }) =>
      (await dataUnlessOff(
        api.GET('/gateway/routes/{algorithm_id}', { params: { path: { algorithm_id } }, signal }),
      )) ?? null,
    refetchInterval: ({ state }) => (state.data ? REFRESH_MS : false),
  });

/** Which callers of an algorithm get which version. */
export function RolloutTab({ algorithm }: { readonly algorithm: Algorithm }) {
  const words = adminText.rollout;
  const { data, error, refetch } = useQuery(presentRouteQuery(algorithm.id));
  // With the rollout goes the button that ended it.
  const place = useLostFocus<HTMLDivElement>(data === null);
  if (algorithm.versions.length === 0) {
    return <Empty title={text.algorithm.noVersionTitle}>{text.algorithm.noVersion}</Empty>;
  }
  // What was entered stays where the service is away for a moment.
  if (error && data === undefined) return <Fault error={error} retry={() => void refetch()} />;
  if (data === undefined) return <Skeleton style={{ height: 320, borderRadius: 14 }} />;
  if (data === null && algorithm.versions.length === 1) {
    return <Empty title={words.oneTitle}>{words.one}</Empty>;
  }
  const route = data ?? undefined;
  return (
    <div ref={place} className="stack" tabIndex={-1}>
      {route ? <ServedNow algorithm={algorithm} route={route} /> : <p className="quiet">{words.none}</p>}
      <ShareForm algorithm={algorithm} route={route} />
      {route && <RouteHistory algorithm={algorithm} route={route} />}
    </div>
  );
}
