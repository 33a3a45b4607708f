import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { algorithmQuery } from '../../api/queries.ts';
import { Fault, Skeleton } from '../../parts/states.tsx';
import { TextField } from '../../parts/text-field.tsx';
import { useTitle } from '../../parts/title.ts';
import { useTyped } from '../../parts/typed.ts';
import { errorsOf } from '../../playground/run.ts';
import { adminText } from '../../texts/text.ts';
import { PickAlgorithm, PickField, PickUser } from '../pick.tsx';
import type { CheckSearch } from './addresses.ts';
import { checkQuery } from './queries.ts';
import { KeysOf } from './subject-field.tsx';
import { Verdict } from './verdict.tsx';

/** What a call of somebody would meet now: whether it is refused, why, and when no longer. */
export function CheckPage() {
  const words = adminText.gateway.check;
  useTitle(adminText.gateway.tabs.check);
  const search = useSearch({ from: '/administration/gateway/check' });
  const navigate = useNavigate({ from: '/administration/gateway/check' });
  const { data, error, refetch } = useQuery(checkQuery(search));
  const wrong = errorsOf(error).get('/body/address');
  return (
    <>
      <p className="quiet explanation">{words.intro}</p>
      <div className="columns">
        <Question
          search={search}
          change={(part) =>
            void navigate({ search: (before) => ({ ...before, ...part }), replace: true, resetScroll: false })
          }
          wrong={wrong}
        />
        <div className="stack">
          {error && !wrong && <Fault error={error} retry={() => void refetch()} />}
          {data && !error && <Verdict check={data} asked={search} />}
          {!data && !error && <Skeleton style={{ height: 260, borderRadius: 14 }} />}
        </div>
      </div>
    </>
  );
}

interface QuestionProps {
  readonly search: CheckSearch;
  readonly change: (part: CheckSearch) => void;
  /** What is wrong with the address. */
  readonly wrong: string | undefined;
}

function Question({ search, change, wrong }: QuestionProps) {
  const words = adminText.gateway;
  const { user, key, algorithm } = search;
  return (
    <section className="card" aria-label={words.tabs.check}>
      <div className="body stack">
        <PickField label={words.subjects.user} hint={user ? undefined : words.check.you}>
          <PickUser
            find={words.find.user}
            chosen={user}
            choose={(id) => change({ user: id, key: undefined })}
          />
        </PickField>
        {user && (
          <PickField label={words.subjects.api_key}>
            <KeysOf
              owner={user}
              chosen={key}
              choose={(id) => change({ key: id })}
              none={words.check.anyKey}
            />
          </PickField>
        )}
        <PickField label={words.subjects.algorithm} hint={algorithm ? undefined : words.check.anyAlgorithm}>
          <PickAlgorithm
            find={words.find.algorithm}
            chosen={algorithm}
            choose={(id) => change({ algorithm: id, version: undefined })}
          />
        </PickField>
        {algorithm && <VersionChoice algorithm={algorithm} search={search} change={change} />}
        <Address search={search} change={change} wrong={wrong} />
      </div>
    </section>
  );
}

function VersionChoice({
  algorithm,
  search,
  change,
}: Omit<QuestionProps, 'wrong'> & { readonly algorithm: string }) {
  const words = adminText.gateway.check;
  const { data } = useQuery(algorithmQuery(algorithm));
  return (
    <PickField label={words.version}>
      <select
        className="select"
        aria-label={words.version}
        value={search.version ?? ''}
        onChange={({ target }) => change({ version: target.value || undefined })}
      >
        <option value="">{words.defaultVersion}</option>
        {data?.versions.map(({ id, version }) => (
          <option key={id} value={id}>
            {version}
          </option>
        ))}
      </select>
    </PickField>
  );
}

function Address({ search, change, wrong }: QuestionProps) {
  const words = adminText.gateway.check;
  const [typed, setTyped] = useTyped(search.address, (address) => change({ address }));
  return (
    <TextField
      label={words.address}
      hint={words.addressHint}
      required={false}
      maxLength={64}
      autoComplete="off"
      spellCheck={false}
      value={typed}
      wrong={wrong}
      onChange={({ target }) => setTyped(target.value)}
    />
  );
}
