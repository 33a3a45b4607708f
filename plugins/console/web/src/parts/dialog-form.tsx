import type { ReactNode } from 'react';
import { text } from '../texts/text.ts';
import { Fault } from './states.tsx';
import { SubmitButton } from './submit-button.tsx';
import { Waiting } from './waiting.tsx';

/** What sends a form, and how that goes. */
export interface Change<T> {
  readonly mutate: (fields: T) => void;
  readonly isPending: boolean;
  readonly error: unknown;
}

/** A form in a dialog: its fields, what went wrong, the way back, and the button that sends it. */
export function DialogForm(props: {
  readonly action: string;
  readonly change: Pick<Change<never>, 'isPending' | 'error'>;
  readonly submit: (form: FormData) => void;
  readonly cancel: () => void;
  /** What is said while it is being sent, where that takes a while. */
  readonly waiting?: string;
  readonly children: ReactNode;
}) {
  const { action, change, submit, cancel, waiting, children } = props;
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault();
        submit(new FormData(event.currentTarget));
      }}
    >
      {children}
      {waiting !== undefined && change.isPending && (
        <p role="status">
          <Waiting>{waiting}</Waiting>
        </p>
      )}
      {change.error !== null && <Fault error={change.error} />}
      <div className="row">
        <button type="button" className="button" onClick={cancel}>
          {text.account.cancel}
        </button>
        <SubmitButton isBusy={change.isPending}>{action}</SubmitButton>
      </div>
    </form>
  );
}
