import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { SignedIn } from '../account/signed-in.tsx';
import { ApiError } from '../api/client.ts';
import { callQuery } from '../api/queries.ts';
import { StatusBadge } from '../parts/badge.tsx';
import { CopyButton } from '../parts/copy-button.tsx';
import { Empty, Fault, Skeleton, ToCatalogue } from '../parts/states.tsx';
import { useTitle } from '../parts/title.ts';
import { SaveExample } from '../examples/save-example.tsx';
import { FailedCall } from '../playground/failures.tsx';
import { OUTPUT_VIEWS, OutputView, type OutputShape } from '../playground/output-view.tsx';
import { Segments } from '../parts/segments.tsx';
import { text } from '../texts/text.ts';
import { CallFacts, Payload, RunAgain, Running, useVersionOf } from './call-parts.tsx';
import { Comparison } from './comparison.tsx';

export function CallPage() {
  const { callId } = useParams({ from: '/calls/$callId' });
  const { with: other } = useSearch({ from: '/calls/$callId' });
  return (
    <SignedIn>
      {() => (other === undefined ? <CallRecord callId={callId} /> : <Comparison ids={[callId, other]} />)}
    </SignedIn>
  );
}

function CallRecord({ callId }: { readonly callId: string }) {
  const { show: shape = 'preview' } = useSearch({ from: '/calls/$callId' });
  const navigate = useNavigate({ from: '/calls/$callId' });
  const setShape = (next: OutputShape): void =>
    void navigate({
      search: (before) => ({ ...before, show: next === 'preview' ? undefined : next }),
      replace: true,
      resetScroll: false,
    });
  const { data: call, error, refetch } = useQuery(callQuery(callId));
  const { algorithm, version } = useVersionOf(call);
  useTitle(algorithm ? `${text.call.title} · ${algorithm.name}` : text.call.title);
  if (error instanceof ApiError && error.status === 404) {
    return (
      <Empty isScreen title={text.errors.notFoundTitle} action={<ToCatalogue />}>
        {text.call.notFound}
      </Empty>
    );
  }
  if (error) return <Fault error={error} retry={() => void refetch()} />;
  if (!call) return <Skeleton style={{ height: 420, borderRadius: 14 }} />;
  return (
    <>
      <div className="page-head">
        <p className="crumbs">
          <Link to="/history">← {text.history.title}</Link>
        </p>
        <div className="row between">
          <div className="row">
            <h1>{algorithm?.name ?? text.call.title}</h1>
            <StatusBadge status={call.status} />
          </div>
          <div className="row">
            {version && <SaveExample key={call.id} call={call} />}
            <CopyButton value={location.href} label={text.call.copyLink} />
            <RunAgain call={call} />
          </div>
        </div>
      </div>
      <section className="card">
        <div className="body">
          <CallFacts call={call} />
        </div>
      </section>
      <div className="playground">
        <div className="stack">
          <Payload title={text.call.input} value={call.input_data} schema={version?.input_schema} />
          <Payload title={text.call.parameters} value={call.params} />
        </div>
        <section className="card">
          <header>
            <h2>{call.status === 'failed' ? text.call.error : text.call.output}</h2>
            {call.status === 'success' && (
              <Segments
                label={text.playground.views}
                options={OUTPUT_VIEWS}
                chosen={shape}
                choose={setShape}
                nameOf={(each) => text.playground[each]}
              />
            )}
          </header>
          <div className="body stack">
            {call.status === 'running' && <Running />}
            {call.status === 'failed' && <FailedCall call={call} />}
            {call.status === 'success' && (
              <OutputView
                output={call.output_data}
                schema={version?.output_schema}
                input={call.input_data}
                shape={shape}
              />
            )}
          </div>
        </section>
      </div>
    </>
  );
}
