import { useState, type ReactNode } from 'react';
import { useChange } from '../api/change.ts';
import { text } from '../texts/text.ts';
import { Dialog } from './dialog.tsx';
import { Fault } from './states.tsx';
import { TextField } from './text-field.tsx';
import { Waiting } from './waiting.tsx';

interface Asked {
  readonly title: string;
  readonly children?: ReactNode;
  readonly action: string;
  readonly close: () => void;
  /** What has to be typed first, where a click would be too little. */
  readonly typed?: string;
}

/** Asks before something is lost or cannot be undone. The way back comes first, so that Enter alone does no harm. */
export function Question({
  title,
  children,
  action,
  close,
  typed,
  confirm,
  isBusy = false,
}: Asked & { readonly confirm: () => void; readonly isBusy?: boolean }) {
  const [entered, setEntered] = useState('');
  return (
    <Dialog title={title} close={close}>
      {children}
      {typed !== undefined && (
        <TextField
          label={text.account.typeToConfirm(typed)}
          autoComplete="off"
          value={entered}
          onChange={({ target }) => setEntered(target.value)}
        />
      )}
      <div className="row">
        <button type="button" className="button" autoFocus onClick={close}>
          {text.account.cancel}
        </button>
        <button
          type="button"
          className="button danger primary"
          disabled={typed !== undefined && entered.trim() !== typed}
          // A disabled button would lose the focus, which is still needed if the request is refused.
          aria-disabled={isBusy}
          onClick={() => isBusy || confirm()}
        >
          {action}
        </button>
      </div>
    </Dialog>
  );
}

/** Asks before a request that cannot be undone. A refusal of the service is shown in the question, which stays open until the request succeeds. */
export function Confirmation<T>(
  props: Asked & {
    readonly run: () => Promise<T>;
    readonly done?: (answer: T) => unknown;
    /** Shown while the request is under way, if it takes long. */
    readonly waiting?: string | undefined;
  },
) {
  const { run, done, waiting, children, ...asked } = props;
  const change = useChange(run, (answer) => {
    asked.close();
    return done?.(answer);
  });
  return (
    <Question {...asked} isBusy={change.isPending} confirm={() => change.mutate()}>
      {children}
      {waiting !== undefined && change.isPending && <Waiting>{waiting}</Waiting>}
      {change.error && <Fault error={change.error} />}
    </Question>
  );
}
