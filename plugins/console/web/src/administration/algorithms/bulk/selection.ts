import { useState } from 'react';
import type { Target } from './status-run.ts';

/** Which algorithms of a list are chosen; they stay so on other pages of it. */
export interface Selection {
  readonly targets: readonly Target[];
  /** Whether all are chosen that match the filter. */
  readonly isAll: boolean;
  readonly has: (id: string) => boolean;
  readonly add: (targets: readonly Target[]) => void;
  readonly toggle: (target: Target) => void;
  readonly takeAll: () => void;
  readonly clear: () => void;
}

interface Chosen {
  /** Of what list; another filter is another list. */
  readonly of: string;
  readonly targets: ReadonlyMap<string, Target>;
  readonly isAll: boolean;
}

const NOTHING = { targets: new Map<string, Target>(), isAll: false };

/** What is chosen of a list, which is named by its filter. */
export function useSelection(of: string): Selection {
  const [chosen, setChosen] = useState<Chosen>({ of, ...NOTHING });
  const { targets, isAll } = chosen.of === of ? chosen : NOTHING;
  const add = (added: readonly Target[]): void =>
    setChosen({
      of,
      isAll,
      targets: new Map([...targets, ...added.map((each) => [each.id, each] as const)]),
    });
  return {
    targets: [...targets.values()],
    isAll,
    has: (id) => isAll || targets.has(id),
    add,
    toggle: (target) => {
      if (!targets.has(target.id)) return add([target]);
      setChosen({ of, isAll: false, targets: new Map([...targets].filter(([id]) => id !== target.id)) });
    },
    takeAll: () => setChosen({ of, targets: NOTHING.targets, isAll: true }),
    clear: () => setChosen({ of, ...NOTHING }),
  };
}
