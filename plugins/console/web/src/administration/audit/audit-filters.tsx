import type { User } from '../../api/queries.ts';
import { FilterSelect } from '../../parts/choice.tsx';
import { Chip } from '../../parts/chip.tsx';
import type { Findable } from '../../parts/finder.tsx';
import { PeriodPicker } from '../../periods/period-picker.tsx';
import type { Range } from '../../periods/period.ts';
import { adminText, showStatus } from '../../texts/text.ts';
import { OUTCOMES, type AuditSearch } from '../addresses.ts';
import { Pick } from '../pick.tsx';
import { usersQuery, type Page } from '../queries.ts';
import { useUserNames } from '../user-names.ts';
import { showAction, showKind } from './audit-words.ts';

const RANGES: readonly Range[] = ['24h', '7d', '30d', '90d', '365d'];

/** Who, what, on what and when. An account or a thing that another screen led here by is named, and can be taken away. */
export function AuditFilters(props: {
  readonly search: AuditSearch;
  readonly change: (part: AuditSearch) => void;
}) {
  const { search, change } = props;
  const words = adminText.audit;
  const ids = [search.actor, search.target].filter((id) => id !== undefined && isId(id)) as string[];
  const names = useUserNames(ids);
  const nameOf = (id: string): string => names.get(id) ?? id;
  return (
    <div className="list-filters">
      <Pick
        label={words.actor}
        find={(q) => usersQuery({ q, limit: 8 })}
        read={actorsIn}
        name={search.actor && words.by(nameOf(search.actor))}
        choose={(actor) => change({ actor })}
      />
      {search.target && (
        <Chip name={words.on(nameOf(search.target))} remove={() => change({ target: undefined })} />
      )}
      <FilterSelect
        label={words.kind}
        any={words.anyKind}
        options={withChosen(Object.keys(words.kinds), search.kind)}
        chosen={search.kind}
        nameOf={showKind}
        choose={(kind) => change({ kind, action: undefined })}
      />
      <FilterSelect
        label={words.action}
        any={words.anyAction}
        options={withChosen(actionsOf(search.kind), search.action)}
        chosen={search.action}
        nameOf={showAction}
        choose={(action) => change({ action })}
      />
      <FilterSelect
        label={words.outcome}
        any={words.anyOutcome}
        options={OUTCOMES}
        chosen={search.outcome}
        nameOf={showStatus}
        choose={(outcome) => change({ outcome })}
      />
      <PeriodPicker period={search} ranges={RANGES} change={change} />
    </div>
  );
}

/** The accounts that were found; and the word as it is, for a command, a plugin or an account that is gone. */
function actorsIn({ rows }: Page<User>, word: string): readonly Findable[] {
  const found = rows.map(({ id, username, email }) => ({ id, name: username, hint: email }));
  return [...found, { id: word, name: word, hint: adminText.audit.exactly }];
}

function isId(value: string): boolean {
  return /^[0-9a-f]{8}-[0-9a-f]{4}-7/.test(value);
}

/** The address may name what the console does not know, such as an action of a plugin of others. */
function withChosen(known: readonly string[], chosen: string | undefined): readonly string[] {
  return chosen === undefined || known.includes(chosen) ? known : [...known, chosen];
}

function actionsOf(kind: string | undefined): readonly string[] {
  const all = Object.keys(adminText.audit.actions);
  return kind === undefined ? all : all.filter((action) => action.startsWith(`${kind}.`));
}
