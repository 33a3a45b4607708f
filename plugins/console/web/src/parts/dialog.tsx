import { useEffect, useId, useLayoutEffect, useRef, type ReactNode } from 'react';
import { text } from '../texts/text.ts';
import { keepFocus } from './focus.ts';
import { Icon } from './icon.tsx';

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
