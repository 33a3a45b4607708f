import { useId, type InputHTMLAttributes } from 'react';
import { Field } from './field.tsx';

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
    <Field id={id} label={label} hint={hint} wrong={wrong}>
      <input
        {...input}
        id={id}
        className="input"
        required={required}
        aria-describedby={hint || wrong ? `${id}-hint` : undefined}
        aria-invalid={wrong !== undefined}
      />
    </Field>
  );
}
