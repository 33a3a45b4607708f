import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useAccount } from '../../account/signed-in.tsx';
import { api, dataOf } from '../../api/client.ts';
import type { Algorithm } from '../../api/queries.ts';
import { Confirmation } from '../../parts/confirmation.tsx';
import { adminText } from '../../texts/text.ts';

/** Deletes an algorithm with its versions, once its name was typed. */
export function DeleteAlgorithm({ algorithm }: { readonly algorithm: Algorithm }) {
  const words = adminText.algorithms;
  const navigate = useNavigate();
  const me = useAccount();
  const [isAsked, setAsked] = useState(false);
  const path = { algorithm_id: algorithm.id };
  const leave = (): void =>
    void navigate({ to: me?.role === 'admin' ? '/administration/algorithms' : '/', ignoreBlocker: true });
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
          run={() => dataOf(api.DELETE('/algorithms/{algorithm_id}', { params: { path } }))}
          done={leave}
          close={() => setAsked(false)}
        >
          <p>{words.deleteText}</p>
        </Confirmation>
      )}
    </>
  );
}
