import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { SignedIn } from '../account/signed-in.tsx';
import type { HistorySearch } from '../addresses.ts';
import { algorithmsQuery, historyQuery, type Call } from '../api/queries.ts';
import { StatusBadge } from '../parts/badge.tsx';
import { Empty, Fault, Skeleton, ToCatalogue } from '../parts/states.tsx';
import { useTitle } from '../parts/title.ts';
import { showAgo, showDuration, showMoment, showStatus, text } from '../texts/text.ts';

const PAGE_SIZE = 25;

export function HistoryPage() {
  useTitle(text.history.title);
  return (
    <>
      <div className="page-head">
        <h1>{text.history.title}</h1>
        <p className="quiet">{text.history.intro}</p>
      </div>
      <SignedIn>{() => <History />}</SignedIn>
    </>
  );
}

function History() {
  const search = useSearch({ from: '/history' });
  const { status, algorithm, cursor } = search;
  const { data, error, refetch, isPlaceholderData } = useQuery(
    historyQuery({
      limit: PAGE_SIZE,
      ...(status !== undefined && { status }),
      ...(algorithm !== undefined && { algorithm_id: algorithm }),
      ...(cursor !== undefined && { cursor }),
    }),
  );
  const { data: catalogue } = useQuery({
    ...algorithmsQuery({ sort: 'name', limit: 100 }),
    staleTime: 60_000,
  });
  const names = new Map(catalogue?.algorithms.map(({ id, name }) => [id, name]));
  if (error) return <Fault error={error} retry={() => void refetch()} />;
  return (
    <>
      <Filters search={search} names={names} />
      {!data && <Skeleton style={{ height: 420, borderRadius: 14 }} />}
      {data?.history.length === 0 && <Nothing isFiltered={Boolean(status ?? algorithm ?? cursor)} />}
      {data && data.history.length > 0 && (
        <>
          <p className="small quiet" role="status">
            {text.history.count(data.total)}
          </p>
          <div
            className={isPlaceholderData ? 'card table-scroll history is-stale' : 'card table-scroll history'}
          >
            <Calls calls={data.history} names={names} />
          </div>
          <nav className="pager" aria-label={text.catalogue.pages}>
            {cursor && (
              <Link to="/history" search={{ ...search, cursor: undefined }} className="button">
                {text.history.first}
              </Link>
            )}
            {data.next_cursor && (
              <Link to="/history" search={{ ...search, cursor: data.next_cursor }} className="button">
                {text.history.next}
              </Link>
            )}
          </nav>
        </>
      )}
    </>
  );
}

function Filters({
  search,
  names,
}: {
  readonly search: HistorySearch;
  readonly names: ReadonlyMap<string, string>;
}) {
  const navigate = useNavigate({ from: '/history' });
  const change = (part: HistorySearch): void =>
    void navigate({ search: (before) => ({ ...before, ...part, cursor: undefined }) });
  return (
    <div className="row">
      <select
        className="select"
        aria-label={text.history.status}
        value={search.status ?? ''}
        onChange={({ target }) => change({ status: target.value || undefined })}
      >
        <option value="">{text.history.any}</option>
        {['success', 'failed', 'running'].map((status) => (
          <option key={status} value={status}>
            {showStatus(status)}
          </option>
        ))}
      </select>
      <select
        className="select"
        aria-label={text.history.algorithm}
        value={search.algorithm ?? ''}
        onChange={({ target }) => change({ algorithm: target.value || undefined })}
      >
        <option value="">{text.history.anyAlgorithm}</option>
        {[...names].map(([id, name]) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
    </div>
  );
}

function Calls({
  calls,
  names,
}: {
  readonly calls: readonly Call[];
  readonly names: ReadonlyMap<string, string>;
}) {
  return (
    <table>
      <thead>
        <tr>
          <th>{text.history.status}</th>
          <th>{text.history.algorithm}</th>
          <th>{text.history.when}</th>
          <th className="number">{text.history.duration}</th>
        </tr>
      </thead>
      <tbody>
        {calls.map((call) => (
          <tr key={call.id} className="link">
            <td>
              <StatusBadge status={call.status} />
            </td>
            <td>
              <Link to="/calls/$callId" params={{ callId: call.id }}>
                {names.get(call.algorithm_id) ?? call.algorithm_id}
              </Link>
            </td>
            <td>
              <time dateTime={call.created_at} title={showMoment(call.created_at)}>
                {showAgo(call.created_at)}
              </time>
            </td>
            <td className="number">
              {typeof call.response_time === 'number' && showDuration(call.response_time)}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Nothing({ isFiltered }: { readonly isFiltered: boolean }) {
  return isFiltered ? (
    <Empty
      icon="search"
      title={text.history.nothingTitle}
      action={
        <Link to="/history" className="button">
          {text.history.clear}
        </Link>
      }
    >
      {text.history.nothing}
    </Empty>
  ) : (
    <Empty icon="clock" title={text.history.emptyTitle} action={<ToCatalogue />}>
      {text.history.empty}
    </Empty>
  );
}
