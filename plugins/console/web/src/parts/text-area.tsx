import { useId, type TextareaHTMLAttributes } from 'react';

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
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <textarea
        {...area}
        id={id}
        className={`area ${className}`}
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
