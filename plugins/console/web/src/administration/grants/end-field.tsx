import { useId } from 'react';
import { adminText } from '../../texts/text.ts';
import { dayOf } from './rights.ts';

/** The last day of a right; empty for no end. */
export function EndField(props: {
  readonly name?: string;
  readonly initial?: string;
  readonly change?: (date: string) => void;
  readonly value?: string;
  readonly wrong?: string | undefined;
}) {
  const { name, initial, change, value, wrong } = props;
  const words = adminText.access;
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{words.until}</label>
      <input
        id={id}
        type="date"
        className="input"
        name={name}
        min={dayOf(new Date())}
        max="9998-12-31"
        aria-describedby={`${id}-hint`}
        aria-invalid={wrong !== undefined}
        {...(change
          ? { value: value ?? '', onChange: ({ target }) => change(target.value) }
          : { defaultValue: initial })}
      />
      <p id={`${id}-hint`} className={wrong ? 'wrong' : 'hint'}>
        {wrong ?? words.untilHint}
      </p>
    </div>
  );
}
