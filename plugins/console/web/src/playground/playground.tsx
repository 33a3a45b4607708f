import { useQuery } from '@tanstack/react-query';
import { deepEqual } from '@tanstack/react-router';
import { useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';
import {
  callQuery,
  examplesQuery,
  meQuery,
  type Algorithm,
  type Call,
  type Example,
  type Version,
} from '../api/queries.ts';
import { SignInDialog } from '../account/sign-in-dialog.tsx';
import { Fault, Skeleton } from '../parts/states.tsx';
import { Unsaved } from '../parts/unsaved.tsx';
import { text } from '../texts/text.ts';
import { keepDraft, keptDraft, storeDrafts } from './drafts.ts';
import { chosenExample, ExampleChoice } from './examples.tsx';
import { withoutUndefined } from './form/checking.ts';
import { InputCard } from './input-card.tsx';
import { ResultCard, type Source } from './result-card.tsx';
import { isToRun, takeRun } from './run-again.ts';
import { useRunKey } from './run-key.ts';
import { useRun } from './run.ts';
import { SampleInput } from './sample-input.tsx';
import { useChecks } from './use-checks.ts';
import { initialValues, writtenExample, type Values } from './values.ts';

interface PlaygroundProps {
  readonly algorithm: Algorithm;
  readonly version: Version;
  /** A call whose values are entered at first. */
  readonly callId: string | undefined;
  /** The example whose values are entered at first; without one, the default of the version. */
  readonly exampleId: string | undefined;
}

/** Enter values, run, see the result. */
export function Playground({ algorithm, version, callId, exampleId }: PlaygroundProps) {
  const {
    data: call,
    error,
    refetch,
  } = useQuery({ ...callQuery(callId ?? ''), enabled: callId !== undefined });
  // Without its examples a version can be tried as well.
  const { data: examples, isPending, isFetching } = useQuery(examplesQuery(algorithm.id, version.id));
  const example = callId === undefined ? chosenExample(examples, exampleId) : undefined;
  const initial = useMemo(
    () => (call ? valuesOf(call) : initialValues(version, example)),
    [call, version, example],
  );
  if (callId !== undefined && error) return <Fault error={error} retry={() => void refetch()} />;
  if (isPending || (callId !== undefined && !call)) {
    return (
      <div className="playground" aria-busy="true">
        <Skeleton style={{ height: 420, borderRadius: 14 }} />
        <Skeleton style={{ height: 420, borderRadius: 14 }} />
      </div>
    );
  }
  const isGone = exampleId !== undefined && !isFetching && examples?.every(({ id }) => id !== exampleId);
  return (
    <>
      {isGone && <p className="notice warn">{text.examples.gone}</p>}
      <Bench
        key={example?.id}
        algorithm={algorithm}
        version={version}
        callId={callId}
        initial={initial}
        draftKey={[version.id, callId, example?.id].join(' ')}
        examples={examples ?? []}
        example={example}
        source={sourceOf(version, call, example)}
      />
    </>
  );
}

function sourceOf(version: Version, call: Call | undefined, example: Example | undefined): Source {
  if (call) return 'call';
  return (example ?? writtenExample(version.input_schema)) ? 'example' : 'nothing';
}

/** A record that keeps no payload has none to enter again. */
function valuesOf({ input_data, params }: Call): Values {
  return { input: input_data ?? {}, params: params ?? {} };
}

interface BenchProps {
  readonly algorithm: Algorithm;
  readonly version: Version;
  /** The call whose values are entered at first. */
  readonly callId: string | undefined;
  readonly initial: Values;
  /** Tells apart what was entered and not run yet. */
  readonly draftKey: string;
  readonly examples: readonly Example[];
  /** The example that is entered at first. */
  readonly example: Example | undefined;
  /** Where the first values come from. */
  readonly source: Source;
}

function Bench(props: BenchProps) {
  const { algorithm, version, callId, initial, draftKey, examples, example, source } = props;
  const [values, setValues] = useState(() => (isToRun(callId) ? initial : (keptDraft(draftKey) ?? initial)));
  useEffect(storeDrafts, []);
  const [hasBrokenJson, setBrokenJson] = useState(false);
  /** What continues after signing in; the call by default. */
  const [asked, askToSignIn] = useState<{ readonly next?: () => void }>();
  const { data: me } = useQuery(meQuery);
  const body = useMemo(
    () => ({
      algorithm_id: algorithm.id,
      version_id: version.id,
      input_data: withoutUndefined(values.input) as Values['input'],
      params: withoutUndefined(values.params) as Values['params'],
    }),
    [algorithm.id, version.id, values],
  );
  const isAsAtFirst = useMemo(
    () => deepEqual({ input: body.input_data, params: body.params }, withoutUndefined(initial)),
    [body, initial],
  );
  const run = useRun({ onSignedOut: () => askToSignIn({}) });
  const checks = useChecks(version, body, run.error);
  const canRun = algorithm.status !== 'inactive' && !hasBrokenJson && !run.isRunning;

  const latest = useRef(values);
  useEffect(() => {
    latest.current = values;
  }, [values]);
  const change = (next: Values): void => {
    setValues(next);
    keepDraft(draftKey, next, version);
  };
  // It was asked for a while ago: parameters may have been entered meanwhile.
  const takeInput = (input: Values['input']): void => change({ ...latest.current, input });
  const start = (): void => {
    if (!canRun || !checks.pass()) return;
    if (me) run.start(body);
    else askToSignIn({});
  };
  const runAgain = useEffectEvent(() => {
    if (takeRun(callId)) start();
  });
  useEffect(() => runAgain(), []);
  useRunKey(start);
  const signedIn = (next: () => void): void => (me ? next() : askToSignIn({ next }));
  return (
    <div className="playground">
      {/* Values are kept when another screen is opened; text that is not JSON yet has none. */}
      <Unsaved when={hasBrokenJson} />
      <InputCard
        version={version}
        values={values}
        faults={checks.faults}
        attempt={checks.attempt}
        choice={<ExampleChoice examples={examples} current={example} isChanged={!isAsAtFirst} />}
        sample={<SampleInput version={version} signedIn={signedIn} take={takeInput} />}
        isRunning={run.isRunning}
        canRun={canRun}
        change={change}
        hasBrokenJson={hasBrokenJson}
        setBroken={setBrokenJson}
        start={start}
        signedIn={signedIn}
        stop={run.stop}
        reset={() => {
          checks.clear();
          // Another object, so that JSON is written anew that was broken before anything else was entered.
          change({ ...initial });
        }}
      />
      <ResultCard
        run={run}
        version={version}
        body={body}
        example={example && { example, isStale: !isAsAtFirst }}
        source={isAsAtFirst ? source : 'nothing'}
        retry={start}
      />
      {asked && (
        <SignInDialog
          close={() => askToSignIn(undefined)}
          done={() => {
            askToSignIn(undefined);
            if (asked.next) asked.next();
            else run.start(body);
          }}
        />
      )}
    </div>
  );
}
