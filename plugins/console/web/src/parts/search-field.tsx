import { useEffect, useRef } from 'react';
import { text } from '../texts/text.ts';
import { Icon } from './icon.tsx';
import { useTyped } from './typed.ts';

/** Searches while one types; `/` leads here from anywhere on the page. */
export function SearchField(props: {
  /** What the address searches for. */
  readonly q: string | undefined;
  readonly label: string;
  readonly change: (q: string | undefined) => void;
}) {
  const { q, label, change } = props;
  const field = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useTyped(q, change);
  useSlash(field);
  return (
    <search className="search">
      <Icon name="search" />
      <input
        ref={field}
        className="input"
        type="search"
        value={typed}
        maxLength={200}
        placeholder={label}
        aria-label={label}
        aria-keyshortcuts="/"
        onChange={(event) => setTyped(event.target.value)}
        onKeyDown={(event) => event.key === 'Escape' && setTyped('')}
      />
      {typed === '' ? (
        <kbd aria-hidden="true">/</kbd>
      ) : (
        <button
          type="button"
          className="button plain icon small"
          aria-label={text.catalogue.clear}
          onClick={() => (setTyped(''), field.current?.focus())}
        >
          <Icon name="close" size={16} />
        </button>
      )}
    </search>
  );
}

function useSlash(field: { readonly current: HTMLInputElement | null }): void {
  useEffect(() => {
    const focus = (event: KeyboardEvent): void => {
      const isTyping = event.target instanceof HTMLElement && event.target.matches('input, textarea, select');
      if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      field.current?.focus();
    };
    addEventListener('keydown', focus);
    return () => removeEventListener('keydown', focus);
  }, [field]);
}
