import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useAccount } from '../../account/signed-in.tsx';
import { useChange } from '../../api/change.ts';
import { api, dataOf } from '../../api/client.ts';
import type { Algorithm } from '../../api/queries.ts';
import { Confirmation } from '../../parts/dialog.tsx';
import { Fault } from '../../parts/states.tsx';
import { adminText } from '../../texts/text.ts';

/** Deletes an algorithm with its versions, once its name was typed. */
export function DeleteAlgorithm({ algorithm }: { readonly algorithm: Algorithm }) {
  const words = adminText.algorithms;
  const navigate = useNavigate();
  const me = useAccount();
  const [isAsked, setAsked] = useState(false);
  const deletion = useChange(
    () =>
      dataOf(api.DELETE('/algorithms/{algorithm_id}', { params: { path: { algorithm_id: algorithm.id } } })),
    () =>
      void navigate({ to: me?.role === 'admin' ? '/administration/algorithms' : '/', ignoreBlocker: true }),
  );
  return (
    <>
      <button type="button" className="button danger" onClick={() => setAsked(true)}>
        {words.delete}
      </button>
      {isAsked && (
        <Confirmation
          title={words.deleteTitle(algorithm.name)}
          action={words.delete}
          typed={algorithm.name}
          isBusy={deletion.isPending}
          confirm={() => deletion.mutate(undefined)}
          close={() => setAsked(false)}
        >
          <p>{words.deleteText}</p>
          {deletion.error && <Fault error={deletion.error} />}
        </Confirmation>
      )}
    </>
  );
}
