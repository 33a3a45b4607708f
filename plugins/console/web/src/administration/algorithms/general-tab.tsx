import { deepEqual, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useAccount } from '../../account/signed-in.tsx';
import { useChange } from '../../api/change.ts';
import { api, dataOf } from '../../api/client.ts';
import type { Algorithm } from '../../api/queries.ts';
import { STATUSES } from '../../catalogue/catalogue-search.ts';
import { SelectField } from '../../parts/choice.tsx';
import { entered } from '../../parts/plain-text.ts';
import { Fault } from '../../parts/states.tsx';
import { SubmitButton } from '../../parts/submit-button.tsx';
import { Unsaved } from '../../parts/unsaved.tsx';
import { errorsOf } from '../../playground/run.ts';
import { adminText, showMoment, showStatus, text } from '../../texts/text.ts';
import { useIsOn } from '../../pages/page-list.ts';
import { AlgorithmFields, ReadmeCard, wordsIn } from './algorithm-fields.tsx';
import { DeleteAlgorithm } from './delete-algorithm.tsx';
import { DuplicateAlgorithm } from './duplicate-algorithm.tsx';

type Fields = Pick<Algorithm, 'name' | 'type' | 'description' | 'tags' | 'readme' | 'status'>;

/** What an algorithm is called, how the catalogue shows it, and what can be done with the whole of it. */
export function GeneralTab({ algorithm }: { readonly algorithm: Algorithm }) {
  const me = useAccount();
  return (
    <>
      <ChangeAlgorithm algorithm={algorithm} />
      <div className="row">
        {me?.role === 'admin' && <DuplicateAlgorithm algorithm={algorithm} />}
        <DeleteAlgorithm algorithm={algorithm} />
      </div>
    </>
  );
}

function ChangeAlgorithm({ algorithm }: { readonly algorithm: Algorithm }) {
  const words = adminText.algorithms;
  /** The algorithm whose values fill the fields, and how often they were filled. Saving sends only what differs from it. */
  const [{ before, filled }, setBefore] = useState({ before: algorithm, filled: 0 });
  const [isTouched, setTouched] = useState(false);
  const change = useChange(
    (body: Partial<Fields>) =>
      dataOf(
        api.PUT('/algorithms/{algorithm_id}', { params: { path: { algorithm_id: algorithm.id } }, body }),
      ),
    (saved) => {
      setBefore({ before: saved, filled });
      setTouched(false);
    },
  );
  if (!isTouched && !change.isPending && algorithm.updated_at > before.updated_at)
    setBefore({ before: algorithm, filled: isSameIn(algorithm, before) ? filled : filled + 1 });
  const errors = errorsOf(change.error);
  return (
    <form
      className="columns even"
      onInput={() => setTouched(true)}
      onSubmit={(event) => {
        event.preventDefault();
        const form = new FormData(event.currentTarget);
        const readme = entered(form, 'readme').replaceAll('\r\n', '\n');
        const status = STATUSES.find((each) => each === form.get('status')) ?? algorithm.status;
        change.mutate({
          ...differing({ ...wordsIn(form), readme }, before),
          ...differing({ status }, algorithm),
        });
      }}
    >
      <Unsaved when={isTouched && !change.isPending} />
      <section className="card" aria-labelledby="words">
        <header>
          <h2 id="words">{words.inLists}</h2>
        </header>
        <div className="body stack">
          <AlgorithmFields key={filled} before={before} errors={errors} />
          <SelectField
            // Publishing changes it as well.
            key={algorithm.status}
            label={text.history.status}
            name="status"
            options={STATUSES}
            initial={algorithm.status}
            nameOf={showStatus}
            hint={words.statusHint}
          />
        </div>
      </section>
      <Facts algorithm={algorithm} />
      <ReadmeCard key={filled} before={before.readme ?? ''} wrong={errors.get('/body/readme')} />
      <div className="whole stack tight">
        {change.error && <Fault error={change.error} />}
        <div className="row">
          <SubmitButton isBusy={change.isPending}>{text.keys.save}</SubmitButton>
          <span className="small quiet" role="status">
            {change.isPending ? words.saving : change.isSuccess && words.saved}
          </span>
        </div>
      </div>
    </form>
  );
}

/** Whether two states of an algorithm give the fields the same values. */
function isSameIn(now: Algorithm, before: Algorithm): boolean {
  const { name, type, description, tags, readme } = now;
  return Object.keys(differing({ name, type, description, tags, readme }, before)).length === 0;
}

function differing(wanted: Partial<Fields>, before: Algorithm): Partial<Fields> {
  const names = Object.keys(wanted) as (keyof Fields)[];
  const isOther = (name: keyof Fields): boolean => !deepEqual(wanted[name], before[name]);
  return Object.fromEntries(names.filter(isOther).map((name) => [name, wanted[name]]));
}

function Facts({ algorithm }: { readonly algorithm: Algorithm }) {
  const isOn = useIsOn();
  const me = useAccount();
  return (
    <section className="card">
      <div className="body stack">
        <dl className="facts">
          <dt>{text.algorithm.id}</dt>
          <dd className="mono">{algorithm.id}</dd>
          <dt>{text.algorithm.created}</dt>
          <dd>{showMoment(algorithm.created_at)}</dd>
          <dt>{text.algorithm.updated}</dt>
          <dd>{showMoment(algorithm.updated_at)}</dd>
        </dl>
        {me?.role === 'admin' && isOn('audit') && (
          <p className="small">
            <Link to="/administration/audit" search={{ target: algorithm.id }}>
              {adminText.users.undergone}
            </Link>
          </p>
        )}
      </div>
    </section>
  );
}
