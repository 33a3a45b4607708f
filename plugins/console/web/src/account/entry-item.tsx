import type { ReactNode } from 'react';
import { useChange } from '../api/change.ts';
import { Icon, type IconName } from '../parts/icon.tsx';
import { Fault } from '../parts/states.tsx';

/** Something by which one is signed in or signs in, with the way to end it. */
export function EntryItem(props: {
  readonly icon: IconName;
  readonly title: ReactNode;
  /** Where it is from and when it was used. */
  readonly facts: ReactNode;
  /** Absent where it is what one looks at this with. */
  readonly end?: { readonly label: string; readonly name: string; readonly run: () => Promise<unknown> };
}) {
  const { icon, title, facts, end } = props;
  const ending = useChange(() => end?.run() ?? Promise.resolve());
  return (
    <li>
      <Icon name={icon} />
      <div className="session">
        <p>{title}</p>
        <p className="small quiet">{facts}</p>
        {ending.error && <Fault error={ending.error} />}
      </div>
      {end && (
        <button
          type="button"
          className="button small"
          aria-label={end.name}
          aria-disabled={ending.isPending}
          onClick={() => ending.isPending || ending.mutate(undefined)}
        >
          {end.label}
        </button>
      )}
    </li>
  );
}
