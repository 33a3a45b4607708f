import { useQueries } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useChange } from '../../../api/change.ts';
import { api, dataOf } from '../../../api/client.ts';
import { performanceSeriesQuery, type Algorithm } from '../../../api/queries.ts';
import { Confirmation } from '../../../parts/confirmation.tsx';
import { ListTable, type Column } from '../../../parts/list-table.tsx';
import { Fault } from '../../../parts/states.tsx';
import { adminText, showDuration, showNumber, showPercent, text } from '../../../texts/text.ts';
import { useIsOn } from '../../../pages/page-list.ts';
import type { RouteDetail } from '../../queries.ts';
import { labelsOf } from './labels.ts';

type Served = RouteDetail['versions'][number];

/** What callers get at present, how it does, and the way back. */
export function ServedNow({
  algorithm,
  route,
}: {
  readonly algorithm: Algorithm;
  readonly route: RouteDetail;
}) {
  const words = adminText.rollout;
  const isOn = useIsOn();
  const labelOf = labelsOf(algorithm);
  const figures = useFigures(route);
  const [isEnding, setEnding] = useState(false);
  const path = { algorithm_id: algorithm.id };
  const body = { revision: route.revision };
  const rollBack = useChange(() =>
    dataOf(api.POST('/gateway/routes/{algorithm_id}/rollback', { params: { path }, body })),
  );
  const promote = useChange((version_id: string) =>
    dataOf(
      api.POST('/gateway/routes/{algorithm_id}/promote', {
        params: { path },
        body: { ...body, version_id },
      }),
    ),
  );
  const isBack = route.versions.every(({ role, percent }) => role === 'stable' || percent === 0);
  const failed = rollBack.error ?? promote.error;
  return (
    <section className="stack tight" aria-labelledby="served">
      <div className="row between">
        <h2 id="served">{words.now}</h2>
        <div className="row">
          {isOn('monitoring') && (
            <Link
              to="/algorithms/$algorithmId"
              params={{ algorithmId: algorithm.id }}
              search={{ tab: 'performance' }}
              className="button"
            >
              {text.algorithm.performance}
            </Link>
          )}
          <button
            type="button"
            className="button danger"
            aria-disabled={isBack || rollBack.isPending}
            onClick={() => isBack || rollBack.isPending || rollBack.mutate(undefined)}
          >
            {words.takeBack(labelOf(route.stable_version_id))}
          </button>
          <button type="button" className="button" onClick={() => setEnding(true)}>
            {words.end}
          </button>
        </div>
      </div>
      <p className="small quiet" role="status">
        {isBack ? words.isBack(labelOf(route.stable_version_id)) : words.since(showNumber(route.revision))}
      </p>
      {failed && <Fault error={failed} />}
      <ListTable
        label={words.now}
        columns={columns(labelOf, figures, (id) => promote.mutate(id))}
        rows={route.versions}
        keyOf={({ version_id }) => version_id}
      />
      {isEnding && (
        <Confirmation
          title={words.endTitle}
          action={words.end}
          run={() => dataOf(api.DELETE('/gateway/routes/{algorithm_id}', { params: { path } }))}
          close={() => setEnding(false)}
        >
          <p>{words.endText(labelOf(algorithm.versions.find(({ is_default }) => is_default)?.id ?? ''))}</p>
        </Confirmation>
      )}
    </section>
  );
}

type Figures = ReadonlyMap<string, { readonly p50: number | null; readonly p95: number | null }>;

/** How long calls took in the last 48 hours; empty where `monitoring` is off. */
function useFigures({ algorithm_id, versions }: RouteDetail): Figures {
  const isOn = useIsOn();
  const found = useQueries({
    queries: versions.map(({ version_id }) => ({
      ...performanceSeriesQuery({ algorithm_id, version_id, bucket: 'hour' }),
      enabled: isOn('monitoring'),
    })),
  });
  return new Map(found.flatMap(({ data }, i) => (data ? [[versions[i]!.version_id, data.total]] : [])));
}

function columns(
  labelOf: (id: string) => string,
  figures: Figures,
  promote: (id: string) => void,
): readonly Column<Served>[] {
  const words = adminText.rollout;
  const duration = (seconds: number | null | undefined): string =>
    seconds === null || seconds === undefined ? '–' : showDuration(seconds);
  return [
    {
      label: text.algorithm.version,
      kind: 'main',
      cell: ({ version_id, role }) => (
        <span className="row">
          <strong>{labelOf(version_id)}</strong>
          <span className={role === 'canary' ? 'badge warn' : 'badge'}>{words.roles[role]}</span>
        </span>
      ),
    },
    { label: text.algorithm.share, kind: 'number', cell: ({ percent }) => `${showNumber(percent)} %` },
    { label: words.calls, kind: 'number', cell: ({ calls }) => showNumber(calls) },
    {
      label: words.failed,
      kind: 'number',
      cell: ({ calls, failed_calls }) =>
        calls === 0 ? '–' : `${showNumber(failed_calls)} (${showPercent(failed_calls / calls)})`,
    },
    { label: words.p50, kind: 'number', cell: ({ version_id }) => duration(figures.get(version_id)?.p50) },
    { label: words.p95, kind: 'number', cell: ({ version_id }) => duration(figures.get(version_id)?.p95) },
    {
      label: text.keys.actions,
      kind: 'actions',
      cell: ({ version_id, role, percent }) =>
        role === 'canary' &&
        percent < 100 && (
          <button type="button" className="button small" onClick={() => promote(version_id)}>
            {words.promote(labelOf(version_id))}
          </button>
        ),
    },
  ];
}
