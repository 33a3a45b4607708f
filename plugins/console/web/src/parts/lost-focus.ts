import { useEffect, useRef } from 'react';

/**
 * Gives an element the focus when it appears or `when` changes, where what had it is gone, such as the button that was
 * pressed. The element needs a `tabIndex`.
 */
export function useLostFocus<E extends HTMLElement>(when?: unknown) {
  const element = useRef<E>(null);
  useEffect(() => {
    if (document.activeElement === document.body) element.current?.focus({ preventScroll: true });
  }, [when]);
  return element;
}
