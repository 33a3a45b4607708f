import { api, dataOf } from '../api/client.ts';
import type { ApiKey } from '../api/queries.ts';
import { Confirmation } from '../parts/confirmation.tsx';
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
  const path = { key_id: revoked.id };
  return (
    <Confirmation
      title={text.keys.revokeTitle(revoked.name)}
      action={text.keys.revoke}
      run={() => dataOf(api.DELETE('/api-keys/{key_id}', { params: { path } }))}
      done={done}
      close={close}
    >
      <p>{text.keys.revokeText}</p>
    </Confirmation>
  );
}
