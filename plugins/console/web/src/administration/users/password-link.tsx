import { api, dataOf } from '../../api/client.ts';
import type { User } from '../../api/queries.ts';
import { Fault } from '../../parts/states.tsx';
import { adminText, text } from '../../texts/text.ts';
import { useChange } from '../../api/change.ts';
import { LinkToHandOver } from './one-time-link.tsx';

/** Makes a link by which the owner of an account chooses another password; it is shown until one says that it was copied. */
export function PasswordLink({ user }: { readonly user: User }) {
  const words = adminText.links;
  const make = useChange(() =>
    dataOf(api.POST('/users/{user_id}/password-reset', { params: { path: { user_id: user.id } } })),
  );
  return (
    <section className="card">
      <header>
        <h2>{text.account.password}</h2>
      </header>
      <div className="body stack">
        {make.data ? <LinkToHandOver link={make.data} /> : <p className="quiet">{words.hint}</p>}
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
