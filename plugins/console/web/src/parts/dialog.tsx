import { useEffect, useId, useLayoutEffect, useRef, useState, type ReactNode } from 'react';
import { text } from '../texts/text.ts';
import { keepFocus } from './focus.ts';
import { Icon } from './icon.tsx';
import { TextField } from './text-field.tsx';

/** A dialog on top of the screen. Escape closes it, or calls `escape` where that is given; then the focus returns to where it was. */
export function Dialog(props: {
  readonly title: string;
  readonly close: () => void;
  readonly escape?: () => void;
  readonly className?: string;
  readonly children: ReactNode;
}) {
  const { title, close, escape, className = '', children } = props;
  const element = useRef<HTMLDialogElement>(null);
  const id = useId();
  useLayoutEffect(() => {
    const dialog = element.current;
    dialog?.showModal();
    // Closing it gives the focus back, which removing it would not.
    return () => dialog?.close();
  }, []);
  // What had the focus before may be gone, as where an address opened the dialog.
  useEffect(() => keepFocus, []);
  return (
    <dialog
      ref={element}
      className={className}
      aria-labelledby={id}
      onClose={close}
      onCancel={(event) => {
        // A field for files tells of its own as well.
        if (!escape || event.target !== event.currentTarget) return;
        event.preventDefault();
        escape();
      }}
    >
      <div className="stack">
        <div className="row between">
          <h2 id={id}>{title}</h2>
          <button
            type="button"
            className="button plain icon small"
            aria-label={text.account.cancel}
            onClick={close}
          >
            <Icon name="close" />
          </button>
        </div>
        {children}
      </div>
    </dialog>
  );
}

export interface Asked {
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
