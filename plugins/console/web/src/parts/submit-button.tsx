import type { ReactNode } from 'react';

/** Submits its form. While that is under way it does nothing, but it keeps the focus, which a disabled button would lose. */
export function SubmitButton({
  isBusy,
  children,
}: {
  readonly isBusy: boolean;
  readonly children: ReactNode;
}) {
  return (
    <button
      type="submit"
      className="button primary"
      aria-disabled={isBusy}
      onClick={(event) => isBusy && event.preventDefault()}
    >
      {children}
    </button>
  );
}
