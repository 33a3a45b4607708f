import type { Algorithm } from '../../../api/queries.ts';
import { ListTable, type Column } from '../../../parts/list-table.tsx';
import { Moment } from '../../../parts/moment.tsx';
import { adminText, showMoment, showNumber } from '../../../texts/text.ts';
import type { RouteDetail } from '../../queries.ts';
import { useUserNames } from '../../user-names.ts';
import { labelsOf } from './labels.ts';

type Change = RouteDetail['history'][number];

/** Who changed the shares of an algorithm, and why. */
export function RouteHistory({
  algorithm,
  route,
}: {
  readonly algorithm: Algorithm;
  readonly route: RouteDetail;
}) {
  const words = adminText.rollout;
  const labelOf = labelsOf(algorithm);
  const names = useUserNames(route.history.flatMap(({ changed_by }) => changed_by ?? []));
  const columns: readonly Column<Change>[] = [
    {
      label: words.when,
      kind: 'main',
      cell: ({ changed_at }) => <Moment iso={changed_at} show={showMoment} />,
    },
    { label: words.what, cell: ({ action }) => words.actions[action] },
    {
      label: words.shares,
      kind: 'long',
      cell: ({ versions }) =>
        versions
          .map(({ version_id, percent }) => `${labelOf(version_id)}: ${showNumber(percent)} %`)
          .join(', '),
    },
    {
      label: words.who,
      cell: ({ changed_by }) => (changed_by === null ? words.itself : (names.get(changed_by) ?? '…')),
    },
    { label: words.reason, kind: 'long', cell: ({ reason }) => reason },
  ];
  return (
    <section className="stack tight" aria-labelledby="route-history">
      <h2 id="route-history">{words.history}</h2>
      <p className="small quiet">{words.historyHint}</p>
      <ListTable
        label={words.history}
        columns={columns}
        rows={route.history}
        keyOf={({ revision }) => String(revision)}
      />
    </section>
  );
}
