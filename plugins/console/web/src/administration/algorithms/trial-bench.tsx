import { useEffect, useMemo, useRef, useState, type ReactNode } from 'react';
import type { Example } from '../../api/queries.ts';
import { InputCard } from '../../playground/input-card.tsx';
import { withoutUndefined, type Faults } from '../../playground/form/checking.ts';
import { useRunKey } from '../../playground/run-key.ts';
import { useChecks } from '../../playground/use-checks.ts';
import { initialValues, type Values } from '../../playground/values.ts';
import { adminText } from '../../texts/text.ts';
import { TrialResult, type TrialState } from './trial-result.tsx';
import { tryOut, type Trial, type VersionDraft } from './version-draft.ts';

/** What was sent to the endpoint, and what it answered. */
export interface Tried {
  readonly input_data: Record<string, unknown>;
  readonly params: Record<string, unknown>;
  readonly output_data: Record<string, unknown>;
}

/** The form as callers will see it, which is tried with the endpoint of a version that need not be saved. */
export default function TrialBench(props: {
  readonly draft: VersionDraft;
  readonly algorithmId: string | undefined;
  /** What the form holds at first. */
  readonly example: Example | undefined;
  /** Told of each call that the endpoint answered well. */
  readonly tried: (call: Tried | undefined) => void;
  /** What can be done with the last result. */
  readonly children?: ReactNode;
}) {
  const { draft, algorithmId, example, tried, children } = props;
  const { body: shapes, drawn, texts } = draft;
  const [entered, enter] = useState<{ readonly values?: Values }>({});
  const [hasBrokenJson, setBrokenJson] = useState(false);
  const values = useMemo(() => entered.values ?? valuesOf(drawn, example), [entered, drawn, example]);
  const call = useMemo(
    () => ({
      input_data: withoutUndefined(values.input) as Values['input'],
      params: withoutUndefined(values.params) as Values['params'],
    }),
    [values],
  );
  const callBody = useMemo(() => ({ algorithm_id: '', version_id: '', ...call }), [call]);
  const checks = useChecks(drawn, callBody, undefined);
  const url = texts.url.trim();
  const body = useMemo(
    () => ({
      ...(algorithmId && { algorithm_id: algorithmId }),
      ...(url !== '' && { url }),
      ...shapes,
      call,
    }),
    [algorithmId, url, shapes, call],
  );
  const [state, setState] = useState<TrialState>({ phase: 'none' });
  const abort = useRef<AbortController>(undefined);
  useEffect(() => () => abort.current?.abort(), []);
  // What is changed is not what was tried.
  useEffect(() => tried(undefined), [tried, body]);
  const isStale = state.phase === 'answered' && state.sent !== body;
  const refused = state.phase === 'answered' && !isStale ? refusedInput(state.trial) : undefined;

  const canRun = draft.broken.length === 0 && !hasBrokenJson && state.phase !== 'running';
  const start = (): void => {
    if (!canRun || !checks.pass()) return;
    const own = new AbortController();
    abort.current = own;
    setState({ phase: 'running' });
    tryOut(body, own.signal).then(
      (trial) => {
        setState({ phase: 'answered', trial, sent: body });
        if (trial.call?.status === 'success' && trial.call.output_data)
          tried({ ...call, output_data: trial.call.output_data });
      },
      (error: unknown) => setState(own.signal.aborted ? { phase: 'none' } : { phase: 'refused', error }),
    );
  };
  useRunKey(start);
  return (
    <>
      <InputCard
        // What could not be drawn of another schema says nothing of this one.
        key={JSON.stringify([drawn.input_schema, drawn.params])}
        title={adminText.algorithms.preview}
        action={adminText.algorithms.test}
        version={drawn}
        sample={!draft.isDrawn && <p className="notice warn small">{adminText.algorithms.notDrawn}</p>}
        values={values}
        faults={refused ?? checks.faults}
        attempt={checks.attempt}
        isRunning={state.phase === 'running'}
        canRun={canRun}
        hasBrokenJson={hasBrokenJson}
        change={(entry) => enter({ values: entry })}
        setBroken={setBrokenJson}
        start={start}
        stop={() => abort.current?.abort()}
        signedIn={(next) => next()}
        reset={() => {
          checks.clear();
          // Another object, so that JSON is written anew that was broken before anything else was entered.
          enter({});
        }}
      />
      <TrialResult state={state} isStale={isStale} schema={shapes.output_schema} retry={start}>
        {children}
      </TrialResult>
    </>
  );
}

/** What a schema is that cannot be read fills nothing in. */
function valuesOf(shapes: VersionDraft['drawn'], example: Example | undefined): Values {
  try {
    return initialValues(shapes, example);
  } catch {
    return { input: {}, params: {} };
  }
}

/** What the service found wrong with the input, at its places in the form. */
function refusedInput({ findings }: Trial): Faults | undefined {
  const place = '/body/call/';
  const found = findings.filter(({ pointer }) => pointer.startsWith(place));
  if (found.length === 0) return undefined;
  return new Map(found.map(({ pointer, message }) => [`/body/${pointer.slice(place.length)}`, message]));
}
