import type { QueryKey, UseQueryOptions } from '@tanstack/react-query';
import { useId, useState, type ReactNode } from 'react';
import { algorithmsQuery } from '../api/queries.ts';
import { useAlgorithmNames } from '../calls/algorithm-names.ts';
import { Chip } from '../parts/chip.tsx';
import { Finder, type Findable } from '../parts/finder.tsx';
import { showType } from '../texts/text.ts';
import { usersQuery } from './queries.ts';
import { useUserNames } from './user-names.ts';

interface Choice {
  /** What is searched for. */
  readonly find: string;
  /** The id of what is chosen. */
  readonly chosen: string | undefined;
  readonly choose: (id: string | undefined) => void;
}

/** Chooses an account. */
export function PickUser(props: Choice) {
  const { find, chosen, choose } = props;
  const names = useUserNames(chosen ? [chosen] : []);
  return (
    <Pick
      label={find}
      find={(q) => usersQuery({ q, limit: 8 })}
      read={({ rows }) => rows.map(({ id, username, email }) => ({ id, name: username, hint: email }))}
      name={chosen && (names.get(chosen) ?? chosen)}
      choose={choose}
    />
  );
}

/** Chooses an algorithm. */
export function PickAlgorithm(props: Choice) {
  const { find, chosen, choose } = props;
  const names = useAlgorithmNames(chosen ? [chosen] : []);
  return (
    <Pick
      label={find}
      find={(q) => algorithmsQuery({ q, limit: 8 })}
      read={({ algorithms }) => algorithms.map(({ id, name, type }) => ({ id, name, hint: showType(type) }))}
      name={chosen && (names.get(chosen) ?? chosen)}
      choose={choose}
    />
  );
}

/** Finds one by a part of its name, or names the one that is chosen, with the way to another. */
export function Pick<T, K extends QueryKey>(props: {
  readonly label: string;
  readonly find: (word: string) => UseQueryOptions<T, Error, T, K>;
  readonly read: (found: T, word: string) => readonly Findable[];
  readonly name: string | undefined;
  readonly choose: (id: string | undefined) => void;
}) {
  const { label, find, read, name, choose } = props;
  // What was pressed goes away, and what takes its place has the focus.
  const [wasPressed, setPressed] = useState(false);
  const take = (id: string | undefined): void => {
    setPressed(true);
    choose(id);
  };
  return name === undefined ? (
    <Finder label={label} find={find} read={read} choose={({ id }) => take(id)} autoFocus={wasPressed} />
  ) : (
    <Chip name={name} remove={() => take(undefined)} autoFocus={wasPressed} />
  );
}

/** A choice in a form, with its name above it and what is wrong with it below. */
export function PickField(props: {
  readonly label: string;
  readonly hint?: string | undefined;
  readonly wrong?: string | undefined;
  readonly children: ReactNode;
}) {
  const { label, hint, wrong, children } = props;
  const id = useId();
  return (
    <div className="field pick" role="group" aria-labelledby={id}>
      <span id={id} className="label">
        {label}
      </span>
      {children}
      {(wrong ?? hint) && (
        <p className={wrong ? 'wrong' : 'hint'} role={wrong && 'alert'}>
          {wrong ?? hint}
        </p>
      )}
    </div>
  );
}
