import { useQueries } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { callQuery, type Call } from '../api/queries.ts';
import { Differences } from '../parts/difference-table.tsx';
import { Fault, Skeleton } from '../parts/states.tsx';
import { useTitle } from '../parts/title.ts';
import { text } from '../texts/text.ts';
import { useAlgorithmNames } from './algorithm-names.ts';
import { CallFacts } from './call-parts.tsx';

/** Two calls side by side: what is about them, and only the differences of their payloads. */
export function Comparison({ ids }: { readonly ids: readonly [string, string] }) {
  useTitle(text.compare.title);
  const found = useQueries({ queries: ids.map(callQuery) });
  const [first, second] = found.map(({ data }) => data);
  const failed = found.find(({ error }) => error);
  return (
    <>
      <div className="page-head">
        <p className="crumbs">
          <Link to="/history">← {text.history.title}</Link>
        </p>
        <div className="row between">
          <h1>{text.compare.title}</h1>
          <Link
            to="/calls/$callId"
            params={{ callId: ids[1] }}
            search={{ with: ids[0] }}
            className="button small"
          >
            {text.compare.swap}
          </Link>
        </div>
      </div>
      {failed && <Fault error={failed.error} retry={() => void failed.refetch()} />}
      {!failed && (!first || !second) && <Skeleton style={{ height: 480, borderRadius: 14 }} />}
      {first && second && (
        <>
          <div className="two">
            <Side title={text.compare.first} call={first} />
            <Side title={text.compare.second} call={second} />
          </div>
          <Differences title={text.call.input} first={first.input_data} second={second.input_data} />
          <Differences title={text.call.parameters} first={first.params} second={second.params} />
          <Differences title={text.call.output} first={outcomeOf(first)} second={outcomeOf(second)} />
        </>
      )}
    </>
  );
}

/** A failed call has its error in the place of an output. */
function outcomeOf({ status, output_data, error_code, error_message }: Call) {
  return status === 'failed' ? { error_code, error_message } : output_data;
}

function Side({ title, call }: { readonly title: string; readonly call: Call }) {
  const name = useAlgorithmNames([call.algorithm_id]).get(call.algorithm_id);
  return (
    <section className="card">
      <header>
        <h2>{title}</h2>
        <Link to="/calls/$callId" params={{ callId: call.id }}>
          {name ?? text.history.open}
        </Link>
      </header>
      <div className="body">
        <CallFacts call={call} />
      </div>
    </section>
  );
}
