import { useChange } from '../api/change.ts';
import { api, dataOf } from '../api/client.ts';
import type { ApiKey } from '../api/queries.ts';
import { Confirmation } from '../parts/dialog.tsx';
import { Fault } from '../parts/states.tsx';
import { text } from '../texts/text.ts';

/** Asks whether a key is to be revoked. */
export function Revocation({
  revoked,
  done,
  close,
}: {
  readonly revoked: ApiKey;
  readonly done: () => void;
  readonly close: () => void;
}) {
  const revoke = useChange(
    () => dataOf(api.DELETE('/api-keys/{key_id}', { params: { path: { key_id: revoked.id } } })),
    () => {
      done();
      close();
    },
  );
  return (
    <Confirmation
      title={text.keys.revokeTitle(revoked.name)}
      action={text.keys.revoke}
      isBusy={revoke.isPending}
      confirm={() => revoke.mutate(undefined)}
      close={close}
    >
      <p>{text.keys.revokeText}</p>
      {revoke.error && <Fault error={revoke.error} />}
    </Confirmation>
  );
}
