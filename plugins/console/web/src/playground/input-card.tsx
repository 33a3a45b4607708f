import { useEffect, useMemo, useRef, useState, type MouseEvent, type ReactNode } from 'react';
import type { Version } from '../api/queries.ts';
import { Icon } from '../parts/icon.tsx';
import { Segments } from '../parts/segments.tsx';
import { text } from '../texts/text.ts';
import { SignedInContext } from './form/contexts.ts';
import { drawnSchema, schemaOfParams } from './form/drawing.ts';
import type { Faults } from './form/checking.ts';
import { SchemaForm, Undrawable } from './form/schema-form.tsx';
import { JsonForm } from './json-form.tsx';
import type { Values } from './values.ts';

const MODES = ['form', 'json'] as const;

interface InputProps {
  readonly version: Pick<Version, 'input_schema' | 'params'>;
  /** What the card is called, and its button. */
  readonly title?: string;
  readonly action?: string;
  /** A choice of values that can be entered. */
  readonly choice?: ReactNode;
  /** Another way to enter values, above the form. */
  readonly sample?: ReactNode;
  readonly values: Values;
  readonly faults: Faults;
  /** How many times the values were refused; each time the first fault gets the focus. */
  readonly attempt: number;
  readonly isRunning: boolean;
  readonly canRun: boolean;
  /** Whether the JSON that was entered is none. */
  readonly hasBrokenJson: boolean;
  readonly change: (values: Values) => void;
  /** Told whether the JSON that was entered is none. */
  readonly setBroken: (isBroken: boolean) => void;
  readonly start: () => void;
  /** Runs something that needs an account, once there is one. */
  readonly signedIn: (next: () => void) => void;
  readonly stop: () => void;
  readonly reset: () => void;
}

/** The values of a call, entered in a form or as JSON, and the buttons that run it. */
export function InputCard(props: InputProps) {
  const { version, values, faults, attempt, change, hasBrokenJson, setBroken } = props;
  const drawn = useMemo(() => drawnForms(version), [version]);
  const [isBroken, setUndrawable] = useState(false);
  const isDrawn = drawn !== undefined && !isBroken;
  const [wanted, setMode] = useState<(typeof MODES)[number]>('form');
  const mode = isDrawn ? wanted : 'json';
  /** Whether the form was asked for while it could not take what was entered. */
  const [isKept, setKept] = useState(false);
  const card = useRef<HTMLElement>(null);
  useEffect(() => {
    if (attempt === 0) return;
    const fault = card.current?.querySelector('[data-wrong]:not(:has([data-wrong]))');
    const control = fault?.querySelector<HTMLElement>('input:not([tabindex="-1"]), select, textarea, button');
    control?.focus({ preventScroll: true });
    fault?.scrollIntoView({ block: 'center' });
  }, [attempt]);
  return (
    <section ref={card} className="card input-card">
      <header>
        <h2>{props.title ?? text.playground.input}</h2>
        <div className="row">
          <Segments
            label={text.playground.mode}
            options={MODES}
            chosen={mode}
            choose={(next) => {
              // The form has no place for what is no JSON, which would be lost.
              const isKept = next === 'form' && hasBrokenJson;
              setKept(isKept);
              if (!isKept) setMode(next);
            }}
            nameOf={(each) => text.playground[each]}
            isDisabled={(each) => each === 'form' && !isDrawn}
          />
        </div>
      </header>
      {props.choice}
      <div className="body stack">
        {props.sample}
        {isKept && hasBrokenJson && (
          <p className="notice warn small" role="alert">
            {text.playground.keptJson}
          </p>
        )}
        {!isDrawn && <p className="small quiet">{text.playground.notDrawn}</p>}
        {mode === 'form' && drawn ? (
          <Undrawable otherwise={() => setUndrawable(true)}>
            <form className="stack" autoComplete="off" onSubmit={(event) => event.preventDefault()}>
              <SignedInContext value={props.signedIn}>
                {drawn.input && (
                  <SchemaForm
                    schema={drawn.input}
                    name="input_data"
                    value={values.input}
                    faults={faults}
                    change={(input) => change({ ...values, input })}
                  />
                )}
                {drawn.params && (
                  <fieldset className="fieldset">
                    <legend>{text.playground.parameters}</legend>
                    <SchemaForm
                      schema={drawn.params}
                      name="params"
                      value={values.params}
                      faults={faults}
                      change={(params) => change({ ...values, params })}
                    />
                  </fieldset>
                )}
              </SignedInContext>
            </form>
          </Undrawable>
        ) : (
          <JsonForm values={values} faults={faults} change={change} setBroken={setBroken} />
        )}
      </div>
      <Actions {...props} />
    </section>
  );
}

/** The drawn schemas of input and parameters; `undefined` where the input cannot be drawn. */
function drawnForms(version: Pick<Version, 'input_schema' | 'params'>) {
  try {
    const input = drawnSchema(version.input_schema);
    const params = drawnSchema(schemaOfParams(version.params));
    return input && { input, params };
  } catch {
    return undefined;
  }
}

/** For how long after Run a press on the same button is still the second one of a double click. */
const DOUBLE_CLICK_MS = 600;

function Actions({ action, isRunning, canRun, start, stop, reset }: InputProps) {
  const started = useRef(-Infinity);
  const press = ({ detail, timeStamp }: MouseEvent): void => {
    // Run and Stop are one button, so the second click of a double one would undo the first.
    if (detail > 1) return;
    if (!isRunning) {
      started.current = timeStamp;
      start();
    } else if (timeStamp - started.current >= DOUBLE_CLICK_MS) {
      stop();
    }
  };
  return (
    <div className="actions">
      {/* One button, so that it has the focus before, during and after the call. */}
      <button
        type="button"
        className={isRunning ? 'button danger' : 'button primary'}
        disabled={!isRunning && !canRun}
        onClick={press}
        aria-keyshortcuts={isRunning ? undefined : 'Control+Enter'}
      >
        <Icon name={isRunning ? 'stop' : 'play'} size={16} />
        {isRunning ? text.playground.stop : (action ?? text.playground.run)}
        {!isRunning && <kbd>Ctrl ↵</kbd>}
      </button>
      <button type="button" className="button plain" onClick={reset}>
        {text.playground.reset}
      </button>
    </div>
  );
}
