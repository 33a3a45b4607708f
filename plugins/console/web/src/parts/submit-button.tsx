import type { ReactNode } from 'react';

/** Submits its form. While that is under way it does nothing, but it keeps the focus, which a disabled button would lose. */
export function SubmitButton({
  isBusy,
  form,
  children,
}: {
  readonly isBusy: boolean;
  /** The id of its form, where that is elsewhere. */
  readonly form?: string;
  readonly children: ReactNode;
}) {
  return (
    <button
      type="submit"
      form={form}
      className="button primary"
      aria-disabled={isBusy}
      onClick={(event) => isBusy && event.preventDefault()}
    >
      {children}
    </button>
  );
}
