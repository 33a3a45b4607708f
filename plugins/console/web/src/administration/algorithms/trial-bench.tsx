import { useMemo, useRef, useState, type ReactNode } from 'react';
import type { Example } from '../../api/queries.ts';
import { InputCard } from '../../playground/input-card.tsx';
import { withoutUndefined, type Faults } from '../../playground/form/checking.ts';
import { useChecks } from '../../playground/use-checks.ts';
import { initialValues, type Values } from '../../playground/values.ts';
import { adminText } from '../../texts/text.ts';
import { TrialResult, type TrialState } from './trial-result.tsx';
import { tryOut, type DraftBody, type VersionDraft } from './version-draft.ts';

/** What was sent to the endpoint, and what it answered. */
export interface Tried {
  readonly input_data: Record<string, unknown>;
  readonly params: Record<string, unknown>;
  readonly output_data: Record<string, unknown>;
}

const EMPTY: Values = { input: {}, params: {} };

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
  const { body: shapes, texts } = draft;
  const [entered, enter] = useState<Values>();
  const [hasBrokenJson, setBrokenJson] = useState(false);
  const values = useMemo(() => entered ?? valuesOf(shapes, example), [entered, shapes, example]);
  const call = useMemo(
    () => ({
      input_data: withoutUndefined(values.input) as Values['input'],
      params: withoutUndefined(values.params) as Values['params'],
    }),
    [values],
  );
  const callBody = useMemo(() => ({ algorithm_id: '', version_id: '', ...call }), [call]);
  const checks = useChecks(shapes, callBody, undefined);
  const [state, setState] = useState<TrialState>({ phase: 'none' });
  const abort = useRef<AbortController>(undefined);
  const refused = state.phase === 'answered' && state.sent === call ? refusedInput(state) : undefined;

  const start = (): void => {
    if (!checks.pass()) return;
    const own = new AbortController();
    abort.current = own;
    setState({ phase: 'running' });
    tried(undefined);
    const url = texts.url.trim();
    const body = {
      ...(algorithmId && { algorithm_id: algorithmId }),
      ...(url !== '' && { url }),
      ...shapes,
      call,
    };
    tryOut(body, own.signal).then(
      (trial) => {
        setState({ phase: 'answered', trial, sent: call });
        if (trial.call?.status === 'success' && trial.call.output_data)
          tried({ ...call, output_data: trial.call.output_data });
      },
      (error: unknown) => setState(own.signal.aborted ? { phase: 'none' } : { phase: 'refused', error }),
    );
  };
  return (
    <>
      <InputCard
        // What could not be drawn of another schema says nothing of this one.
        key={JSON.stringify([shapes.input_schema, shapes.params])}
        title={adminText.algorithms.preview}
        action={adminText.algorithms.test}
        version={shapes}
        values={values}
        faults={refused ?? checks.faults}
        attempt={checks.attempt}
        isRunning={state.phase === 'running'}
        canRun={draft.broken.length === 0 && !hasBrokenJson}
        hasBrokenJson={hasBrokenJson}
        change={enter}
        setBroken={setBrokenJson}
        start={start}
        stop={() => abort.current?.abort()}
        signedIn={(next) => next()}
        reset={() => {
          checks.clear();
          setBrokenJson(false);
          enter(undefined);
        }}
      />
      <TrialResult state={state} schema={shapes.output_schema} sent={call} retry={start}>
        {children}
      </TrialResult>
    </>
  );
}

/** What a schema is that cannot be read fills nothing in. */
function valuesOf(shapes: DraftBody, example: Example | undefined): Values {
  try {
    return initialValues(shapes, example);
  } catch {
    return EMPTY;
  }
}

/** What the service found wrong with the input, at its places in the form. */
function refusedInput({ trial }: TrialState & { readonly phase: 'answered' }): Faults | undefined {
  const place = '/body/call/';
  const found = trial.findings.filter(({ pointer }) => pointer.startsWith(place));
  if (found.length === 0) return undefined;
  return new Map(found.map(({ pointer, message }) => [`/body/${pointer.slice(place.length)}`, message]));
}
