import type { ReactNode } from 'react';

/** A label above an input, and below it a hint, or what is wrong with what was entered. */
export function Field(props: {
  /** The id of the input; what stands below it has the id `ID-hint`. */
  readonly id: string;
  readonly label: string;
  readonly hint: string | undefined;
  readonly wrong: string | undefined;
  readonly children: ReactNode;
}) {
  const { id, label, hint, wrong, children } = props;
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {children}
      {(hint || wrong) && (
        <p id={`${id}-hint`} className={wrong ? 'wrong' : 'hint'}>
          {wrong ? `${label} ${wrong}` : hint}
        </p>
      )}
    </div>
  );
}
