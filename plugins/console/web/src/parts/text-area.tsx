import { useId, type TextareaHTMLAttributes } from 'react';
import { Field } from './field.tsx';

/** A labelled text of several lines. */
export function TextArea(
  props: TextareaHTMLAttributes<HTMLTextAreaElement> & {
    readonly label: string;
    readonly hint?: string | undefined;
    readonly wrong?: string | undefined;
  },
) {
  const { label, hint, wrong, className = '', ...area } = props;
  const id = useId();
  return (
    <Field id={id} label={label} hint={hint} wrong={wrong}>
      <textarea
        {...area}
        id={id}
        className={`area ${className}`}
        aria-describedby={hint || wrong ? `${id}-hint` : undefined}
        aria-invalid={wrong !== undefined}
      />
    </Field>
  );
}
