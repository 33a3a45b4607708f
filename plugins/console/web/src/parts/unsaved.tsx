import { useBlocker } from '@tanstack/react-router';
import { text } from '../texts/text.ts';
import { Question } from './confirmation.tsx';

/**
 * Asks before something that was entered is lost: when a link or the way back leads elsewhere, or the page is closed. A
 * screen that goes on by itself after saving navigates with `ignoreBlocker`.
 */
export function Unsaved({ when }: { readonly when: boolean }) {
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: () => when,
    enableBeforeUnload: when,
    withResolver: true,
  });
  return status === 'blocked' ? <LeaveQuestion leave={proceed} stay={reset} /> : null;
}

/** Whether what was entered is to be lost. */
export function LeaveQuestion(props: { readonly leave: () => void; readonly stay: () => void }) {
  const words = text.unsaved;
  return (
    <Question title={words.title} action={words.leave} confirm={props.leave} close={props.stay}>
      <p>{words.text}</p>
    </Question>
  );
}
