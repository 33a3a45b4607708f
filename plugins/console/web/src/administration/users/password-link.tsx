import { useState } from 'react';
import { api, dataOf } from '../../api/client.ts';
import type { User } from '../../api/queries.ts';
import { Fault } from '../../parts/states.tsx';
import { Unsaved } from '../../parts/unsaved.tsx';
import { adminText, text } from '../../texts/text.ts';
import { useChange } from '../../api/change.ts';
import { isToCopy, LinkToHandOver } from './one-time-link.tsx';

/** Makes a link by which the owner of an account chooses another password; it is shown until one says that it was copied. */
export function PasswordLink({ user }: { readonly user: User }) {
  const words = adminText.links;
  const [isCopied, setCopied] = useState(false);
  const make = useChange(
    () => dataOf(api.POST('/users/{user_id}/password-reset', { params: { path: { user_id: user.id } } })),
    () => setCopied(false),
  );
  return (
    <section className="card">
      <header>
        <h2>{text.account.password}</h2>
      </header>
      <div className="body stack">
        {make.data ? (
          <LinkToHandOver link={make.data} copied={() => setCopied(true)} />
        ) : (
          <p className="quiet">{words.hint}</p>
        )}
        <Unsaved when={isToCopy(make.data) && !isCopied} words={text.uncopied} />
        {make.error && <Fault error={make.error} />}
        <div>
          {make.data ? (
            <button type="button" className="button primary" onClick={() => make.reset()}>
              {text.keys.done}
            </button>
          ) : (
            <button
              type="button"
              className="button"
              disabled={make.isPending || user.status === 'disabled'}
              onClick={() => make.mutate(undefined)}
            >
              {words.make}
            </button>
          )}
        </div>
      </div>
    </section>
  );
}
