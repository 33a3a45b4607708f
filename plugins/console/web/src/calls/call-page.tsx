import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { SignedIn } from '../account/signed-in.tsx';
import { algorithmQuery, callQuery } from '../api/queries.ts';
import { StatusBadge } from '../parts/badge.tsx';
import { CopyButton } from '../parts/copy-button.tsx';
import { JsonTree } from '../parts/json-tree.tsx';
import { Fault, Skeleton } from '../parts/states.tsx';
import { useTitle } from '../parts/title.ts';
import { SaveExample } from '../examples/save-example.tsx';
import { FailedCall } from '../playground/failures.tsx';
import { OUTPUT_VIEWS, OutputView, type OutputShape } from '../playground/output-view.tsx';
import { showDuration, showMoment, text } from '../texts/text.ts';

export function CallPage() {
  return <SignedIn>{() => <CallRecord />}</SignedIn>;
}

function CallRecord() {
  const { callId } = useParams({ from: '/calls/$callId' });
  const [shape, setShape] = useState<OutputShape>('preview');
  const { data: call, error, refetch } = useQuery(callQuery(callId));
  const { data: algorithm } = useQuery({
    ...algorithmQuery(call?.algorithm_id ?? ''),
    enabled: call !== undefined,
    retry: false,
  });
  useTitle(algorithm ? `${text.call.title} · ${algorithm.name}` : text.call.title);
  if (error) return <Fault error={error} retry={() => void refetch()} />;
  if (!call) return <Skeleton style={{ height: 420, borderRadius: 14 }} />;
  const version = algorithm?.versions.find(({ id }) => id === call.version_id);
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
            {version && (
              <Link
                to="/algorithms/$algorithmId"
                params={{ algorithmId: call.algorithm_id }}
                search={{ version: version.id, call: call.id }}
                className="button primary small"
              >
                {text.call.runAgain}
              </Link>
            )}
          </div>
        </div>
      </div>
      <section className="card">
        <div className="body">
          <dl className="facts">
            <dt>{text.algorithm.id}</dt>
            <dd className="mono">{call.id}</dd>
            <dt>{text.call.when}</dt>
            <dd>{showMoment(call.created_at)}</dd>
            {typeof call.response_time === 'number' && (
              <>
                <dt>{text.call.duration}</dt>
                <dd>{showDuration(call.response_time)}</dd>
              </>
            )}
            <dt>{text.call.version}</dt>
            <dd>{version?.version ?? <code>{call.version_id}</code>}</dd>
          </dl>
        </div>
      </section>
      <div className="playground">
        <div className="stack">
          <Payload title={text.call.input} value={call.input_data} />
          <Payload title={text.call.parameters} value={call.params} />
        </div>
        <section className="card">
          <header>
            <h2>{call.status === 'failed' ? text.call.error : text.call.output}</h2>
            {call.status === 'success' && (
              <div className="segments" role="group" aria-label={text.playground.views}>
                {OUTPUT_VIEWS.map((each) => (
                  <button
                    key={each}
                    type="button"
                    aria-pressed={each === shape}
                    onClick={() => setShape(each)}
                  >
                    {text.playground[each]}
                  </button>
                ))}
              </div>
            )}
          </header>
          <div className="body stack">
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

function Payload({ title, value }: { readonly title: string; readonly value: unknown }) {
  return (
    <section className="card">
      <header>
        <h2>{title}</h2>
        {value !== null && value !== undefined && <CopyButton value={() => JSON.stringify(value, null, 2)} />}
      </header>
      <div className="body">
        {value === null || value === undefined ? (
          <p className="quiet">{text.call.none}</p>
        ) : (
          <JsonTree value={value} />
        )}
      </div>
    </section>
  );
}
