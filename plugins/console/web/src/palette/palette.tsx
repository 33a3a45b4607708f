import { useEffect, useId, useLayoutEffect, useRef, useState, type KeyboardEvent } from 'react';
import { useDelayed } from '../parts/delayed.ts';
import { Icon } from '../parts/icon.tsx';
import { reasonOf } from '../parts/states.tsx';
import { text } from '../texts/text.ts';
import { useCommands, type Command } from './commands.ts';

/** Finds algorithms, pages and actions by a word, with the keyboard alone. */
export function Palette(props: {
  readonly close: () => void;
  readonly showShortcuts: () => void;
  readonly signOut: () => void;
}) {
  const { close, showShortcuts, signOut } = props;
  const element = useRef<HTMLDialogElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const id = useId();
  const [typed, setTyped] = useState('');
  const [marked, setMarked] = useState(0);
  const wanted = useDelayed(typed.trim());
  const { groups, isFetching, error } = useCommands(typed.trim(), wanted, { showShortcuts, signOut });
  const commands = groups.flatMap(({ commands: each }) => each);
  const current = Math.min(marked, commands.length - 1);
  // Pages and actions are those of the word as it is typed, the algorithms those of an earlier one at first.
  const isFinding =
    (wanted !== typed.trim() || isFetching) && (commands[current]?.id.startsWith('algorithm-') ?? true);
  /** Whether Enter was pressed while algorithms were still sought: it is for what is found then. */
  const [isEntered, setEntered] = useState(false);

  useLayoutEffect(() => {
    const dialog = element.current;
    dialog?.showModal();
    return () => dialog?.close();
  }, []);
  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' });
  }, [current, commands.length]);

  const run = (command: Command | undefined): void => {
    if (!command) return;
    close();
    command.run();
  };
  useEffect(() => {
    if (!isEntered || isFinding) return;
    setEntered(false);
    run(commands[current]);
    // oxlint-disable-next-line react/exhaustive-deps -- what is found when the search ends
  }, [isEntered, isFinding]);
  const move = (event: KeyboardEvent): void => {
    const { length } = commands;
    const to = { ArrowDown: (current + 1) % length, ArrowUp: (current + length - 1) % length }[event.key];
    if (event.key === 'Enter' && !event.nativeEvent.isComposing) {
      if (isFinding) setEntered(true);
      else run(commands[current]);
    }
    if (to !== undefined && length > 0) setMarked(to);
    if (to !== undefined) setEntered(false);
    if (to !== undefined || event.key === 'Enter') event.preventDefault();
  };
  return (
    <dialog
      ref={element}
      className="finder"
      aria-label={text.palette.title}
      onClose={close}
      onClick={(event) => event.target === event.currentTarget && close()}
    >
      <div className="finder-search">
        <Icon name="search" />
        <input
          role="combobox"
          aria-expanded="true"
          aria-controls={`${id}-list`}
          aria-activedescendant={commands[current] && `${id}-${commands[current].id}`}
          aria-autocomplete="list"
          aria-label={text.palette.placeholder}
          placeholder={text.palette.placeholder}
          autoComplete="off"
          autoFocus
          maxLength={200}
          value={typed}
          onChange={({ target }) => (setTyped(target.value), setMarked(0), setEntered(false))}
          onKeyDown={move}
        />
        <button type="button" className="button plain small" onClick={close}>
          <span className="visually-hidden">{text.account.cancel}</span>
          <kbd aria-hidden="true">Esc</kbd>
        </button>
      </div>
      <div
        ref={list}
        id={`${id}-list`}
        role="listbox"
        aria-label={text.palette.title}
        className="finder-list"
      >
        {groups.map(({ id: group, title, commands: each }) => (
          <div key={group} role="group" aria-labelledby={`${id}-${group}`}>
            <p id={`${id}-${group}`} className="small quiet">
              {title}
            </p>
            {each.map((command) => (
              <div
                key={command.id}
                id={`${id}-${command.id}`}
                role="option"
                aria-selected={command === commands[current]}
                onPointerMove={() => setMarked(commands.indexOf(command))}
                onClick={() => run(command)}
              >
                <Icon name={command.icon} />
                <span>{command.label}</span>
                {command.hint && <small className="quiet">{command.hint}</small>}
              </div>
            ))}
          </div>
        ))}
      </div>
      <p className={commands.length > 0 && !error ? 'visually-hidden' : 'finder-nothing quiet'} role="status">
        {error
          ? reasonOf(error)
          : commands.length > 0 || isFetching
            ? text.palette.found(commands.length)
            : text.palette.nothing}
      </p>
    </dialog>
  );
}
