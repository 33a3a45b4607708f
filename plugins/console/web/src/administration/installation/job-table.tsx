import { useQuery } from '@tanstack/react-query';
import { ListTable, type Column } from '../../parts/list-table.tsx';
import { Moment } from '../../parts/moment.tsx';
import { Fault } from '../../parts/states.tsx';
import { adminText, showAgo, showDuration, text } from '../../texts/text.ts';
import { jobsQuery, type Job } from '../queries.ts';

/** What plugins do on a schedule, and how the last run went. */
export function JobTable({ plugin }: { readonly plugin?: string }) {
  const words = adminText.plugins;
  const { data, error, refetch } = useQuery(jobsQuery);
  const jobs = plugin === undefined ? data : data?.filter(({ id }) => id.startsWith(`${plugin}:`));
  if (error) return <Fault error={error} retry={() => void refetch()} />;
  if (jobs?.length === 0) return <p className="quiet">{words.noJobs}</p>;
  return <ListTable label={words.jobs} columns={columns()} rows={jobs} keyOf={({ id }) => id} />;
}

function columns(): readonly Column<Job>[] {
  const words = adminText.plugins;
  return [
    {
      label: words.job,
      kind: 'main',
      cell: ({ id, summary }) => (
        <>
          <strong>{id}</strong>
          <small className="quiet">{summary}</small>
        </>
      ),
    },
    { label: words.schedule, cell: ({ schedule }) => schedule },
    {
      label: words.next,
      cell: ({ running, due_at: due }) => {
        if (running) return <span className="badge warn">{text.statuses.running}</span>;
        return due ? <Moment iso={due} show={showAgo} /> : '–';
      },
    },
    {
      label: words.last,
      cell: ({ last }) => (last ? <Moment iso={last.at} show={showAgo} /> : text.keys.never),
    },
    { label: words.result, kind: 'long', cell: (job) => <Result job={job} /> },
  ];
}

function Result({ job: { last, failures } }: { readonly job: Job }) {
  const words = adminText.plugins;
  if (!last) return '–';
  if (last.fault === null) return words.took(showDuration(last.duration_ms / 1000));
  return (
    <>
      <span className="badge bad">{text.statuses.failed}</span>
      <span className="hint">
        {last.fault}
        {failures > 1 && ` ${words.inARow(failures)}`}
      </span>
    </>
  );
}
