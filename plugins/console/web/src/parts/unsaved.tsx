import { useBlocker } from '@tanstack/react-router';
import { text } from '../texts/text.ts';
import { Question } from './confirmation.tsx';

interface Words {
  readonly title: string;
  readonly text: string;
}

/**
 * Asks before something that was entered is lost: when a link or the way back leads elsewhere, or the page is closed. A
 * screen that goes on by itself after saving navigates with `ignoreBlocker`.
 */
export function Unsaved(props: {
  readonly when: boolean;
  readonly words?: Words | undefined;
  /** Whether it stays on the screen while only the query of the address changes. */
  readonly staysOnPath?: boolean;
}) {
  const { when, words, staysOnPath = false } = props;
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: ({ current, next }) => when && !(staysOnPath && current.pathname === next.pathname),
    enableBeforeUnload: when,
    withResolver: true,
  });
  return status === 'blocked' ? <LeaveQuestion leave={proceed} stay={reset} words={words} /> : null;
}

/** Whether what was entered is to be lost. */
export function LeaveQuestion(props: {
  readonly leave: () => void;
  readonly stay: () => void;
  readonly words?: Words | undefined;
}) {
  const { leave, stay, words = text.unsaved } = props;
  return (
    <Question title={words.title} action={text.unsaved.leave} confirm={leave} close={stay}>
      <p>{words.text}</p>
    </Question>
  );
}
