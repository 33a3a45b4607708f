/** Where what had the focus went away, the screen has it: the keyboard goes on from there. */
export function keepFocus(): void {
  if (document.activeElement === document.body)
    document.querySelector('main')?.focus({ preventScroll: true });
}
