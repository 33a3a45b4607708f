import { useState } from 'react';
import { useChange } from '../../api/change.ts';
import { api, dataOf } from '../../api/client.ts';
import type { Algorithm } from '../../api/queries.ts';
import { DialogForm } from '../../parts/dialog-form.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { adminText } from '../../texts/text.ts';
import { AccessChoice } from './access-choice.tsx';

/** Lets others call an algorithm that is inactive; asks who. */
export function Publish({ algorithm }: { readonly algorithm: Algorithm }) {
  const [isAsked, setAsked] = useState(false);
  if (algorithm.status !== 'inactive') return null;
  return (
    <>
      <button type="button" className="button primary" onClick={() => setAsked(true)}>
        {adminText.algorithms.publish}
      </button>
      {isAsked && <PublishDialog algorithm={algorithm} close={() => setAsked(false)} />}
    </>
  );
}

function PublishDialog({ algorithm, close }: { readonly algorithm: Algorithm; readonly close: () => void }) {
  const words = adminText.algorithms;
  const [access, setAccess] = useState<Algorithm['access']>('open');
  const publish = useChange(
    () =>
      dataOf(
        api.PUT('/algorithms/{algorithm_id}', {
          params: { path: { algorithm_id: algorithm.id } },
          body: { status: 'active', access },
        }),
      ),
    close,
  );
  return (
    <Dialog title={words.publishTitle(algorithm.name)} close={close}>
      <DialogForm
        action={words.publish}
        change={publish}
        submit={() => publish.mutate(undefined)}
        cancel={close}
      >
        {algorithm.versions.length === 0 && <p className="notice warn">{words.nothingToCall}</p>}
        <AccessChoice access={access} choose={setAccess} />
      </DialogForm>
    </Dialog>
  );
}
