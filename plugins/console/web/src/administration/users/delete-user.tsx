import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api, dataOf } from '../../api/client.ts';
import type { User } from '../../api/queries.ts';
import { RadioChoice } from '../../parts/choice.tsx';
import { Confirmation } from '../../parts/confirmation.tsx';
import { adminText } from '../../texts/text.ts';

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
  return (
    <Confirmation
      title={words.question(user.username)}
      action={words.action}
      typed={user.username}
      run={() => remove(user.id, records)}
      done={() => void navigate({ to: '/administration/users', ignoreBlocker: true })}
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
    </Confirmation>
  );
}

/** What is left of a deleted account, and the way to have its records go as well. */
export function DeletedUser({ user }: { readonly user: User }) {
  const words = adminText.deletion;
  const [isAsking, setAsking] = useState(false);
  const [areGoing, setGoing] = useState(false);
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
      {areGoing && (
        <p className="body" role="status">
          {words.recordsGo}
        </p>
      )}
      {isAsking && (
        <Confirmation
          title={words.recordsQuestion}
          action={words.recordsAction}
          run={() => remove(user.id, 'delete')}
          done={() => setGoing(true)}
          close={() => setAsking(false)}
        >
          <p>{words.choices.delete}</p>
        </Confirmation>
      )}
    </section>
  );
}
