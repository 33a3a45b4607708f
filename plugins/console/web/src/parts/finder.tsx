import { useQuery, type QueryKey, type UseQueryOptions } from '@tanstack/react-query';
import { useId, useState, type KeyboardEvent } from 'react';
import { text } from '../texts/text.ts';
import { useDelayed } from './delayed.ts';
import { reasonOf } from './states.tsx';

/** Something that can be found by its name. */
export interface Findable {
  readonly id: string;
  readonly name: string;
  readonly hint?: string | undefined;
}

/** Finds one of many by a part of its name; with the keyboard, arrows and Enter choose. */
export function Finder<T, K extends QueryKey>(props: {
  readonly label: string;
  readonly find: (word: string) => UseQueryOptions<T, Error, T, K>;
  readonly read: (found: T, word: string) => readonly Findable[];
  readonly choose: (one: Findable) => void;
  readonly autoFocus?: boolean;
}) {
  const { label, find, read, choose, autoFocus } = props;
  const id = useId();
  const [typed, setTyped] = useState('');
  const [marked, setMarked] = useState(0);
  const word = useDelayed(typed.trim());
  const { data, error, isFetching } = useQuery({ ...find(word), enabled: word !== '' });
  const isOpen = typed.trim() !== '';
  const found = isOpen && data !== undefined ? read(data, word) : [];
  const current = Math.min(marked, found.length - 1);
  const isSought = isOpen && word !== '' && !isFetching;
  const isNothing = isSought && found.length === 0;
  const take = (one: Findable): void => {
    setTyped('');
    setMarked(0);
    choose(one);
  };
  const press = (event: KeyboardEvent): void => {
    const { length } = found;
    const to = { ArrowDown: (current + 1) % length, ArrowUp: (current + length - 1) % length }[event.key];
    if (to !== undefined && length > 0) setMarked(to);
    // What is marked may be of an earlier word, as long as one for the present word is sought.
    const isSettled = word === typed.trim() && !isFetching;
    if (event.key === 'Enter' && !event.nativeEvent.isComposing && isSettled && found[current])
      take(found[current]);
    if (event.key === 'Escape' && isOpen) setTyped('');
    // Within a form or a dialog these keys would send or close it.
    if (to !== undefined || event.key === 'Enter' || (event.key === 'Escape' && isOpen))
      event.preventDefault();
  };
  return (
    <div className="field finder-field">
      <label htmlFor={id} className="visually-hidden">
        {label}
      </label>
      <input
        id={id}
        className="input"
        role="combobox"
        aria-expanded={isOpen}
        aria-controls={`${id}-list`}
        aria-activedescendant={found[current] && `${id}-${current}`}
        aria-autocomplete="list"
        autoComplete="off"
        autoFocus={autoFocus}
        maxLength={200}
        placeholder={label}
        value={typed}
        onChange={({ target }) => (setTyped(target.value), setMarked(0))}
        onKeyDown={press}
        onBlur={() => setTyped('')}
      />
      <Options
        id={id}
        label={label}
        isOpen={isOpen}
        found={found}
        marked={found[current]}
        mark={(one) => setMarked(found.indexOf(one))}
        take={take}
      />
      <p className={isNothing ? 'hint' : 'visually-hidden'} role="status">
        {isSought &&
          (error ? reasonOf(error) : isNothing ? text.palette.nothing : text.palette.found(found.length))}
      </p>
    </div>
  );
}

function Options(props: {
  readonly id: string;
  readonly label: string;
  readonly isOpen: boolean;
  readonly found: readonly Findable[];
  readonly marked: Findable | undefined;
  readonly mark: (one: Findable) => void;
  readonly take: (one: Findable) => void;
}) {
  const { id, label, isOpen, found, marked, mark, take } = props;
  return (
    <div id={`${id}-list`} role="listbox" aria-label={label} className="finder-found" hidden={!isOpen}>
      {found.map((one, i) => (
        <div
          key={one.id}
          id={`${id}-${i}`}
          role="option"
          aria-selected={one === marked}
          onPointerMove={() => mark(one)}
          // Before the field loses the focus, which closes the list.
          onPointerDown={(event) => event.preventDefault()}
          onClick={() => take(one)}
        >
          <span>{one.name}</span>
          {one.hint && <small className="quiet">{one.hint}</small>}
        </div>
      ))}
    </div>
  );
}
