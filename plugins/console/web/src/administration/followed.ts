import { useState } from 'react';

/** What is entered in a form about something that may change meanwhile. */
export interface Followed<T, R> {
  readonly value: T;
  /** Of what the form began with. */
  readonly revision: R;
  /** Whether it has changed since, so that what was entered is about an older state of it. */
  readonly isBehind: boolean;
  /** Whether something was entered that is not saved. */
  readonly isTouched: boolean;
  readonly enter: (value: T) => void;
  /** Keeps what is shown although it changes, as after something was entered elsewhere in the form. */
  readonly touch: () => void;
  /** Follows again: after it was saved, or to give up what was entered. */
  readonly follow: () => void;
}

/** Follows what the service has until something is entered, which then stays. */
export function useFollowed<T, R>(current: T, revision: R): Followed<T, R> {
  const [state, setState] = useState({ value: current, revision, isTouched: false });
  const isBehind = state.revision !== revision;
  if (isBehind && !state.isTouched) setState({ value: current, revision, isTouched: false });
  return {
    value: state.value,
    revision: state.revision,
    isBehind,
    isTouched: state.isTouched,
    enter: (value) => setState((before) => ({ ...before, value, isTouched: true })),
    touch: () => setState((before) => ({ ...before, isTouched: true })),
    follow: () => setState((before) => ({ ...before, isTouched: false })),
  };
}
