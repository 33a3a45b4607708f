import { useState, type ComponentProps } from 'react';
import { Dialog } from './dialog.tsx';
import { LeaveQuestion, Unsaved } from './unsaved.tsx';

/**
 * A dialog with a form of several fields. Its buttons close it; Escape, the way back and closing the page ask before what
 * was entered is lost. Where an address opens it, `close` navigates with `ignoreBlocker`.
 */
export function FormDialog(
  props: Omit<ComponentProps<typeof Dialog>, 'escape'> & {
    /** Whether something was entered that no field tells of. */
    readonly isChanged?: boolean;
    /** The question before the input is lost. */
    readonly words?: ComponentProps<typeof LeaveQuestion>['words'];
  },
) {
  const { isChanged = false, words, children, ...dialog } = props;
  const [isTouched, setTouched] = useState(false);
  const [isAsking, setAsking] = useState(false);
  const isUnsaved = isTouched || isChanged;
  return (
    <>
      <Dialog {...dialog} {...(isUnsaved && { escape: () => setAsking(true) })}>
        <div onInput={() => setTouched(true)}>{children}</div>
      </Dialog>
      <Unsaved when={isUnsaved} words={words} />
      {isAsking && <LeaveQuestion leave={props.close} stay={() => setAsking(false)} words={words} />}
    </>
  );
}
