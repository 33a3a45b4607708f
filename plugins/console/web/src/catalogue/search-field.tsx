import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { Icon } from '../parts/icon.tsx';
import { text } from '../texts/text.ts';

/** Searches while one types; `/` leads here from anywhere on the page. */
export function SearchField({ q }: { readonly q: string | undefined }) {
  const navigate = useNavigate({ from: '/' });
  const field = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState(q ?? '');
  const sent = useRef(q);
  useEffect(() => {
    // The address changed by itself, as with Back.
    if (q !== sent.current) setTyped(q ?? '');
    sent.current = q;
  }, [q]);
  useEffect(() => {
    const wanted = typed.trim() || undefined;
    if (wanted === sent.current) return;
    const timer = setTimeout(() => {
      sent.current = wanted;
      void navigate({ search: (before) => ({ ...before, q: wanted, page: undefined }), replace: true });
    }, 200);
    return () => clearTimeout(timer);
  }, [typed, navigate]);
  useEffect(() => {
    const focus = (event: KeyboardEvent): void => {
      const isTyping = event.target instanceof HTMLElement && event.target.matches('input, textarea, select');
      if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      field.current?.focus();
    };
    addEventListener('keydown', focus);
    return () => removeEventListener('keydown', focus);
  }, []);
  return (
    <search className="search">
      <Icon name="search" />
      <input
        ref={field}
        className="input"
        type="search"
        value={typed}
        maxLength={200}
        placeholder={text.catalogue.search}
        aria-label={text.catalogue.search}
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
