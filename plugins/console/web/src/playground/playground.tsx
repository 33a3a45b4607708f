import { useQuery } from '@tanstack/react-query';
import { deepEqual } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
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
import { Icon } from '../parts/icon.tsx';
import { Fault, Skeleton } from '../parts/states.tsx';
import { text } from '../texts/text.ts';
import { chosenExample, ExampleChoice } from './examples.tsx';
import { canBeDrawn, readFields } from './fields.ts';
import { FieldView, withValue } from './field-view.tsx';
import { ResultCard } from './result-card.tsx';
import { errorsOf, useRun } from './run.ts';
import { initialValues, type Values } from './values.ts';

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
  const { data: examples, isPending } = useQuery(examplesQuery(algorithm.id, version.id));
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
  return (
    <Bench
      key={example?.id}
      algorithm={algorithm}
      version={version}
      initial={initial}
      examples={examples ?? []}
      example={example}
    />
  );
}

/** A record that keeps no payload has none to enter again. */
function valuesOf({ input_data, params }: Call): Values {
  return { input: input_data ?? {}, params: params ?? {} };
}

interface BenchProps {
  readonly algorithm: Algorithm;
  readonly version: Version;
  readonly initial: Values;
  readonly examples: readonly Example[];
  /** The example that is entered at first. */
  readonly example: Example | undefined;
}

function Bench({ algorithm, version, initial, examples, example }: BenchProps) {
  const isDrawn = canBeDrawn(version.input_schema);
  const [values, setValues] = useState(initial);
  const [mode, setMode] = useState<'form' | 'json'>(isDrawn ? 'form' : 'json');
  const [jsonFault, setJsonFault] = useState<string>();
  const [asksToSignIn, askToSignIn] = useState(false);
  const { data: me } = useQuery(meQuery);
  const body = useMemo(
    () => ({
      algorithm_id: algorithm.id,
      version_id: version.id,
      input_data: values.input,
      params: values.params,
    }),
    [algorithm.id, version.id, values],
  );
  const run = useRun({ onSignedOut: () => askToSignIn(true) });
  const errors = useMemo(() => errorsOf(run.error), [run.error]);
  const canRun = algorithm.status !== 'inactive' && jsonFault === undefined && !run.isRunning;

  const start = (): void => {
    if (!canRun) return;
    if (me) run.start(body);
    else askToSignIn(true);
  };
  const reset = (): void => {
    setValues(initial);
    setJsonFault(undefined);
  };
  return (
    <div
      className="playground"
      onKeyDown={(event) => {
        if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
        event.preventDefault();
        start();
      }}
    >
      <section className="card">
        <header>
          <h2>{text.playground.input}</h2>
          <div className="segments" role="group" aria-label={text.playground.mode}>
            <button
              type="button"
              aria-pressed={mode === 'form'}
              disabled={!isDrawn}
              onClick={() => setMode('form')}
            >
              {text.playground.form}
            </button>
            <button type="button" aria-pressed={mode === 'json'} onClick={() => setMode('json')}>
              {text.playground.json}
            </button>
          </div>
        </header>
        <ExampleChoice examples={examples} current={example} />
        <div className="body">
          {!isDrawn && <p className="small quiet">{text.playground.notDrawn}</p>}
          {mode === 'form' ? (
            <Form version={version} values={values} errors={errors} change={setValues} />
          ) : (
            <JsonForm values={values} change={setValues} fault={jsonFault} setFault={setJsonFault} />
          )}
        </div>
        <div className="actions">
          {run.isRunning ? (
            <button key="stop" type="button" className="button danger" onClick={run.stop}>
              <Icon name="stop" size={16} />
              {text.playground.stop}
            </button>
          ) : (
            <button
              key="run"
              type="button"
              className="button primary"
              disabled={!canRun}
              onClick={start}
              aria-keyshortcuts="Control+Enter"
            >
              <Icon name="play" size={16} />
              {text.playground.run}
              <kbd>Ctrl ↵</kbd>
            </button>
          )}
          <button type="button" className="button plain" onClick={reset}>
            {text.playground.reset}
          </button>
        </div>
      </section>
      <ResultCard
        run={run}
        version={version}
        body={body}
        example={example && { example, isStale: !deepEqual(values, initial) }}
        retry={start}
      />
      {asksToSignIn && (
        <SignInDialog
          close={() => askToSignIn(false)}
          done={() => {
            askToSignIn(false);
            run.start(body);
          }}
        />
      )}
    </div>
  );
}

interface FormProps {
  readonly version: Version;
  readonly values: Values;
  readonly errors: ReadonlyMap<string, string>;
  readonly change: (values: Values) => void;
}

function Form({ version, values, errors, change }: FormProps) {
  const params = readFields({ properties: version.params });
  const rare = params.filter(({ schema }) => schema['x-advanced']);
  const param = (field: (typeof params)[number]) => (
    <FieldView
      key={field.name}
      field={{ ...field, isRequired: true }}
      pointer={`/body/params/${field.name}`}
      value={values.params[field.name]}
      errors={errors}
      change={(value) => change({ ...values, params: withValue(values.params, field.name, value) })}
    />
  );
  return (
    <form className="stack" onSubmit={(event) => event.preventDefault()}>
      {readFields(version.input_schema).map((field) => (
        <FieldView
          key={field.name}
          field={field}
          pointer={`/body/input_data/${field.name}`}
          value={values.input[field.name]}
          errors={errors}
          change={(value) => change({ ...values, input: withValue(values.input, field.name, value) })}
        />
      ))}
      {params.length > 0 && (
        <fieldset className="fieldset">
          <legend>{text.playground.parameters}</legend>
          {params.filter((field) => !rare.includes(field)).map(param)}
          {rare.length > 0 && (
            <details>
              <summary>{text.playground.advanced}</summary>
              <div className="stack">{rare.map(param)}</div>
            </details>
          )}
        </fieldset>
      )}
    </form>
  );
}

function JsonForm(props: {
  readonly values: Values;
  readonly change: (values: Values) => void;
  readonly fault: string | undefined;
  readonly setFault: (fault: string | undefined) => void;
}) {
  const { values, change, fault, setFault } = props;
  const [typed, setTyped] = useState(() =>
    JSON.stringify({ input_data: values.input, params: values.params }, null, 2),
  );
  const [last, setLast] = useState(values);
  if (last !== values) {
    // The values changed elsewhere, as with Reset.
    setLast(values);
    setTyped(JSON.stringify({ input_data: values.input, params: values.params }, null, 2));
  }
  const set = (entered: string): void => {
    setTyped(entered);
    const read = readValues(entered);
    setFault(typeof read === 'string' ? read : undefined);
    if (typeof read === 'string') return;
    setLast(read);
    change(read);
  };
  return (
    <div className="field">
      <textarea
        className="area mono"
        rows={18}
        spellCheck={false}
        aria-label={text.playground.json}
        aria-invalid={fault !== undefined}
        value={typed}
        onChange={({ target }) => set(target.value)}
      />
      {fault && (
        <p className="wrong" role="status">
          {fault}
        </p>
      )}
    </div>
  );
}

function readValues(typed: string): Values | string {
  let value: unknown;
  try {
    value = JSON.parse(typed);
  } catch {
    return text.playground.brokenJson;
  }
  const { input_data: input, params = {} } = (value ?? {}) as Record<string, unknown>;
  const isPlain = (each: unknown): each is Record<string, unknown> =>
    typeof each === 'object' && each !== null && !Array.isArray(each);
  return isPlain(input) && isPlain(params) ? { input, params } : text.playground.notAnObject;
}
