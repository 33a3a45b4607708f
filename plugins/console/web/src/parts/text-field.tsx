import { useId, type InputHTMLAttributes } from 'react';

/** A labelled line of text, which has to be filled in unless it says otherwise. */
export function TextField(
  props: InputHTMLAttributes<HTMLInputElement> & {
    readonly label: string;
    readonly hint?: string | undefined;
    readonly wrong?: string | undefined;
  },
) {
  const { label, hint, wrong, required = true, ...input } = props;
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <input
        {...input}
        id={id}
        className="input"
        required={required}
        aria-describedby={hint || wrong ? `${id}-hint` : undefined}
        aria-invalid={wrong !== undefined}
      />
      {(hint || wrong) && (
        <p id={`${id}-hint`} className={wrong ? 'wrong' : 'hint'}>
          {wrong ? `${label} ${wrong}` : hint}
        </p>
      )}
    </div>
  );
}
