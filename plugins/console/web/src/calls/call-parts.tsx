import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { algorithmQuery, type Call } from '../api/queries.ts';
import { StatusBadge } from '../parts/badge.tsx';
import { CopyButton } from '../parts/copy-button.tsx';
import { JsonTree } from '../parts/json-tree.tsx';
import { showDuration, showMoment, text } from '../texts/text.ts';
import { runOnOpening } from '../playground/run-again.ts';
import { PayloadPictures } from './payload-pictures.tsx';

/** The version that a call names, unless it or its algorithm was deleted. */
export function useVersionOf(call: Call | undefined) {
  const { data: algorithm } = useQuery({
    ...algorithmQuery(call?.algorithm_id ?? ''),
    enabled: call !== undefined,
    retry: false,
    staleTime: 60_000,
  });
  return { algorithm, version: algorithm?.versions.find(({ id }) => id === call?.version_id) };
}

export function CallFacts({ call }: { readonly call: Call }) {
  const { version } = useVersionOf(call);
  return (
    <dl className="facts">
      <dt>{text.history.status}</dt>
      <dd>
        <StatusBadge status={call.status} />
      </dd>
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
      <dt>{text.algorithm.id}</dt>
      <dd className="mono">{call.id}</dd>
      <dt>{text.errors.requestId}</dt>
      <dd className="mono">{call.request_id}</dd>
    </dl>
  );
}

/** Runs the input of the call once more, in the playground; nothing where its version is gone. */
export function RunAgain({ call }: { readonly call: Call }) {
  const { version } = useVersionOf(call);
  if (!version) return null;
  return (
    <Link
      to="/algorithms/$algorithmId"
      params={{ algorithmId: call.algorithm_id }}
      search={{ version: version.id, call: call.id }}
      className="button primary small"
      // A click of any other kind opens another tab, which shows the input alone.
      onClick={({ ctrlKey, metaKey, shiftKey, altKey }) => {
        if (!ctrlKey && !metaKey && !shiftKey && !altKey) runOnOpening(call.id);
      }}
    >
      {text.call.runAgain}
    </Link>
  );
}

/** Stands where the result will be. */
export function Running() {
  return (
    <p className="quiet" role="status">
      {text.call.running}
    </p>
  );
}

/** A part of a record as a tree, below the pictures that are in it. */
export function Payload({
  title,
  value,
  schema,
}: {
  readonly title: string;
  readonly value: unknown;
  readonly schema?: unknown;
}) {
  return (
    <section className="card">
      <header>
        <h2>{title}</h2>
        {value !== null && value !== undefined && <CopyButton value={() => JSON.stringify(value, null, 2)} />}
      </header>
      <div className="body stack">
        {value === null || value === undefined ? (
          <p className="quiet">{text.call.none}</p>
        ) : (
          <>
            <PayloadPictures value={value} schema={schema} />
            <JsonTree value={value} />
          </>
        )}
      </div>
    </section>
  );
}
