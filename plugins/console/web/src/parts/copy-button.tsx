import { useState } from 'react';
import { text } from '../texts/text.ts';
import { Icon } from './icon.tsx';

export function CopyButton({
  value,
  label = text.playground.copy,
}: {
  /** A function where making the text takes long. */
  readonly value: string | (() => string);
  readonly label?: string;
}) {
  const [isCopied, setCopied] = useState(false);
  const copy = async (): Promise<void> => {
    await copyText(typeof value === 'string' ? value : value());
    setCopied(true);
    setTimeout(() => setCopied(false), 2000);
  };
  return (
    <button type="button" className="button small" onClick={() => void copy()}>
      <Icon name="copy" size={15} />
      <span aria-live="polite">{isCopied ? text.playground.copied : label}</span>
    </button>
  );
}

/** Browsers offer the clipboard on https and localhost only; elsewhere the text is copied out of a field. */
async function copyText(value: string): Promise<void> {
  if (isSecureContext) return navigator.clipboard.writeText(value);
  const field = document.createElement('textarea');
  field.value = value;
  document.body.append(field);
  field.select();
  document.execCommand('copy');
  field.remove();
}
