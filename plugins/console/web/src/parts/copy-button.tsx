import { useRef, useState } from 'react';
import { text } from '../texts/text.ts';
import { Icon } from './icon.tsx';

export function CopyButton({
  value,
  label = text.playground.copy,
  copied,
}: {
  /** A function where making the text takes long. */
  readonly value: string | (() => string);
  readonly label?: string;
  readonly copied?: () => void;
}) {
  const [isCopied, setCopied] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const copy = async (): Promise<void> => {
    await copyText(typeof value === 'string' ? value : value(), button.current!);
    setCopied(true);
    copied?.();
    setTimeout(() => setCopied(false), 2000);
  };
  return (
    <button ref={button} type="button" className="button small" onClick={() => void copy()}>
      <Icon name="copy" size={15} />
      <span aria-live="polite">{isCopied ? text.playground.copied : label}</span>
    </button>
  );
}

/** Browsers offer the clipboard on https and localhost only, and may refuse it; then the text is copied out of a field. */
async function copyText(value: string, button: HTMLElement): Promise<void> {
  try {
    if (isSecureContext) return await navigator.clipboard.writeText(value);
  } catch {
    // It was refused.
  }
  const field = document.createElement('textarea');
  field.className = 'visually-hidden';
  field.value = value;
  // Beside the button, since nothing outside of an open dialog can be selected.
  button.after(field);
  field.select();
  document.execCommand('copy');
  field.remove();
  button.focus();
}
