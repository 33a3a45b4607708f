import { useId, type ReactNode } from 'react';

/** A choice of one of some, beside others in a row of filters; `undefined` for no choice. */
export function FilterSelect<T extends string | number>(props: {
  readonly label: string;
  /** What no choice is called; there is always one where it is absent. */
  readonly any?: string;
  readonly options: readonly T[];
  readonly chosen: T | undefined;
  readonly nameOf: (option: T) => string;
  readonly choose: (option: T | undefined) => void;
}) {
  const { label, any, options, chosen, nameOf, choose } = props;
  return (
    <select
      className="select"
      aria-label={label}
      value={chosen ?? ''}
      onChange={({ target }) => choose(options.find((option) => String(option) === target.value))}
    >
      {any !== undefined && <option value="">{any}</option>}
      {options.map((option) => (
        <option key={option} value={option}>
          {nameOf(option)}
        </option>
      ))}
    </select>
  );
}

/** A labelled choice of one of some in a form. */
export function SelectField<T extends string>(props: {
  readonly label: string;
  readonly name: string;
  readonly options: readonly T[];
  readonly nameOf: (option: T) => string;
  readonly initial: T;
  readonly change?: (option: T) => void;
  readonly hint?: string;
}) {
  const { label, name, options, nameOf, initial, change, hint } = props;
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <select
        id={id}
        name={name}
        className="select"
        defaultValue={initial}
        aria-describedby={hint && `${id}-hint`}
        onChange={({ target }) => change?.(target.value as T)}
      >
        {options.map((option) => (
          <option key={option} value={option}>
            {nameOf(option)}
          </option>
        ))}
      </select>
      {hint && (
        <p id={`${id}-hint`} className="hint">
          {hint}
        </p>
      )}
    </div>
  );
}

/** A choice of one of a few that need a word of explanation. */
export function RadioChoice<T extends string>(props: {
  readonly legend: string;
  readonly options: readonly T[];
  readonly chosen: T;
  readonly choose: (option: T) => void;
  readonly show: (option: T) => ReactNode;
}) {
  const { legend, options, chosen, choose, show } = props;
  const name = useId();
  return (
    <fieldset className="field scopes">
      <legend className="label">{legend}</legend>
      {options.map((option) => (
        <label key={option} className="choice">
          <input type="radio" name={name} checked={option === chosen} onChange={() => choose(option)} />
          <span>{show(option)}</span>
        </label>
      ))}
    </fieldset>
  );
}
