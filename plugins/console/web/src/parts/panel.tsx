import { useId, useLayoutEffect, useRef, type ReactNode } from 'react';
import { text } from '../texts/text.ts';
import { Icon } from './icon.tsx';

/** An entry of a list beside it. Escape, Back and a click on the list close it. */
export function Panel(props: {
  readonly title: string;
  /** The entries of the page, to go to the one before or after. */
  readonly ids: readonly string[];
  readonly id: string;
  readonly open: (id: string) => void;
  readonly close: () => void;
  readonly children: ReactNode;
}) {
  const { title, ids, id, open, close, children } = props;
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useLayoutEffect(() => {
    const element = dialog.current;
    element?.showModal();
    // Back closes it as well, and what had the focus before has it again.
    return () => element?.close();
  }, []);
  const place = ids.indexOf(id);
  const go = (label: string, other: string | undefined, mark: string) => (
    <button
      type="button"
      className="button small icon"
      aria-label={label}
      title={label}
      // Not disabled, so that it keeps the focus on the first or the last entry.
      aria-disabled={other === undefined}
      onClick={() => other !== undefined && open(other)}
    >
      {mark}
    </button>
  );
  return (
    <dialog
      ref={dialog}
      className="panel"
      aria-labelledby={titleId}
      onClose={close}
      onClick={({ target, currentTarget }) => target === currentTarget && currentTarget.close()}
    >
      <div className="stack">
        <div className="row between">
          <h2 id={titleId}>{title}</h2>
          <div className="row">
            {go(text.call.newer, ids[place - 1], '↑')}
            {go(text.call.older, place < 0 ? undefined : ids[place + 1], '↓')}
            <button
              type="button"
              className="button small icon"
              aria-label={text.call.close}
              onClick={() => dialog.current?.close()}
            >
              <Icon name="close" size={16} />
            </button>
          </div>
        </div>
        {children}
      </div>
    </dialog>
  );
}
