import { useBlocker } from '@tanstack/react-router';
import { Confirmation } from '../parts/dialog.tsx';
import { adminText } from '../texts/text.ts';

/**
 * Asks before something that was entered is lost: when a link or the way back leads elsewhere, or the page is closed. A
 * screen that goes on by itself after saving navigates with `ignoreBlocker`.
 */
export function Unsaved({ when }: { readonly when: boolean }) {
  const words = adminText.unsaved;
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: () => when,
    enableBeforeUnload: when,
    withResolver: true,
  });
  if (status !== 'blocked') return null;
  return (
    <Confirmation title={words.title} action={words.leave} isBusy={false} confirm={proceed} close={reset}>
      <p>{words.text}</p>
    </Confirmation>
  );
}
