import { useId, useState } from 'react';
import { adminText } from '../../../texts/text.ts';
import { placesIn, type Field, type Rule } from './kept.ts';

const MODES = ['store', 'redact', 'hash', 'drop'] as const;

/** What records keep of a field. Places of the example can be hidden with a click. */
export function RuleField(props: {
  readonly field: Field;
  readonly rule: Rule;
  readonly sample: unknown;
  readonly wrong: readonly string[];
  readonly change: (rule: Rule) => void;
}) {
  const { field, rule, wrong, change } = props;
  const words = adminText.payloads;
  const id = useId();
  return (
    <fieldset className="field scopes">
      <legend className="label">{words.fields[field]}</legend>
      <select
        className="select"
        aria-label={words.keep(words.fields[field])}
        aria-describedby={`${id}-mode`}
        value={rule.mode}
        onChange={({ target }) =>
          change({ ...rule, mode: MODES.find((mode) => mode === target.value) ?? 'store' })
        }
      >
        {MODES.map((mode) => (
          <option key={mode} value={mode}>
            {words.modes[mode]}
          </option>
        ))}
      </select>
      <p id={`${id}-mode`} className="hint">
        {words.meanings[rule.mode]}
      </p>
      {rule.mode === 'redact' && <Pointers {...props} />}
      {rule.mode !== 'redact' && wrong.map((each) => <Wrong key={each}>{each}</Wrong>)}
    </fieldset>
  );
}

function Pointers({ field, rule, sample, wrong, change }: Parameters<typeof RuleField>[0]) {
  const words = adminText.payloads;
  const id = useId();
  // As it was typed: an empty line is being written, and is no pointer yet.
  const [typed, setTyped] = useState(() => typedFrom(rule));
  // Shows what others have saved meanwhile, so that saving does not undo it.
  if (typed.pointers !== rule.pointers) setTyped(typedFrom(rule));
  const write = (lines: string): void => {
    const trimmed = lines.split('\n').map((line) => line.trim());
    const pointers = [...new Set(trimmed.filter((line) => line !== ''))];
    setTyped({ lines, pointers });
    change({ ...rule, pointers });
  };
  const places = placesIn(sample).filter((place) => !rule.pointers.includes(place));
  return (
    <>
      <label htmlFor={id}>{words.pointers(words.fields[field])}</label>
      <textarea
        id={id}
        className="area mono"
        rows={Math.min(8, Math.max(2, rule.pointers.length + 1))}
        value={typed.lines}
        placeholder="/patient/name"
        spellCheck={false}
        aria-describedby={`${id}-hint`}
        aria-invalid={wrong.length > 0}
        onChange={({ target }) => write(target.value)}
      />
      <div id={`${id}-hint`}>
        {wrong.length > 0 ? (
          wrong.map((each) => <Wrong key={each}>{each}</Wrong>)
        ) : (
          <p className="hint">{words.pointersHint}</p>
        )}
      </div>
      {places.length > 0 && (
        <details>
          <summary className="small">{words.places}</summary>
          <ul className="row places">
            {places.map((place) => (
              <li key={place}>
                <button
                  type="button"
                  className="button small mono"
                  aria-label={words.hide(place)}
                  onClick={() => write([...rule.pointers, place].join('\n'))}
                >
                  {place}
                </button>
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  );
}

function typedFrom({ pointers }: Rule) {
  return { lines: pointers.join('\n'), pointers };
}

function Wrong({ children }: { readonly children: string }) {
  return <p className="wrong">{children}</p>;
}
