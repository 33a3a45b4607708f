import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api, dataOf } from '../../api/client.ts';
import type { User } from '../../api/queries.ts';
import { RadioChoice } from '../../parts/choice.tsx';
import { Confirmation } from '../../parts/dialog.tsx';
import { Fault } from '../../parts/states.tsx';
import { adminText } from '../../texts/text.ts';
import { useChange } from '../../api/change.ts';

const RECORDS = ['keep', 'delete'] as const;
type Records = (typeof RECORDS)[number];

const remove = (user_id: string, records: Records) =>
  dataOf(api.DELETE('/users/{user_id}', { params: { path: { user_id }, query: { records } } }));

/** Deletes an account, once its name was typed. */
export function DeleteUser({ user }: { readonly user: User }) {
  const words = adminText.deletion;
  const [isAsking, setAsking] = useState(false);
  return (
    <section className="card">
      <header>
        <div>
          <h2>{words.title}</h2>
          <p className="small quiet">{words.hint}</p>
        </div>
        <button type="button" className="button danger" onClick={() => setAsking(true)}>
          {words.action}
        </button>
      </header>
      {isAsking && <Deletion user={user} close={() => setAsking(false)} />}
    </section>
  );
}

function Deletion({ user, close }: { readonly user: User; readonly close: () => void }) {
  const words = adminText.deletion;
  const navigate = useNavigate();
  const [records, setRecords] = useState<Records>('keep');
  const deletion = useChange(
    () => remove(user.id, records),
    () => void navigate({ to: '/administration/users' }),
  );
  return (
    <Confirmation
      title={words.question(user.username)}
      action={words.action}
      typed={user.username}
      isBusy={deletion.isPending}
      confirm={() => deletion.mutate(undefined)}
      close={close}
    >
      <p>{words.text}</p>
      <RadioChoice
        legend={words.records}
        options={RECORDS}
        chosen={records}
        choose={setRecords}
        show={(each) => words.choices[each]}
      />
      {deletion.error && <Fault error={deletion.error} />}
    </Confirmation>
  );
}

/** What is left of a deleted account, and the way to have its records go as well. */
export function DeletedUser({ user }: { readonly user: User }) {
  const words = adminText.deletion;
  const [isAsking, setAsking] = useState(false);
  const deletion = useChange(
    () => remove(user.id, 'delete'),
    () => setAsking(false),
  );
  return (
    <section className="card">
      <header>
        <div>
          <h2>{words.records}</h2>
          <p className="small quiet">{words.left}</p>
        </div>
        <button type="button" className="button danger" onClick={() => setAsking(true)}>
          {words.recordsAction}
        </button>
      </header>
      {deletion.isSuccess && (
        <p className="body" role="status">
          {words.recordsGo}
        </p>
      )}
      {isAsking && (
        <Confirmation
          title={words.recordsQuestion}
          action={words.recordsAction}
          isBusy={deletion.isPending}
          confirm={() => deletion.mutate(undefined)}
          close={() => setAsking(false)}
        >
          <p>{words.choices.delete}</p>
          {deletion.error && <Fault error={deletion.error} />}
        </Confirmation>
      )}
    </section>
  );
}
