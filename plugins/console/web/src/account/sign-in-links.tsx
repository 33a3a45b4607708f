import { useQuery } from '@tanstack/react-query';
import { api, dataOf } from '../api/client.ts';
import { linksQuery, providersQuery, type SignInLink } from '../api/queries.ts';
import { Moment } from '../parts/moment.tsx';
import { Fault } from '../parts/states.tsx';
import { showAgo, text } from '../texts/text.ts';
import { EntryItem } from './entry-item.tsx';

/** By which providers one can sign in to the account; nothing where there is none. */
export function SignInLinks() {
  const { data: links, error, refetch } = useQuery(linksQuery);
  const { data: providers = [] } = useQuery(providersQuery);
  if (error) return <Fault error={error} retry={() => void refetch()} />;
  if (!links || links.length === 0) return undefined;
  const nameOf = ({ provider }: SignInLink): string =>
    providers.find(({ id }) => id === provider)?.name ?? provider;
  return (
    <section className="card sessions links">
      <header>
        <div>
          <h2>{text.account.links}</h2>
          <p className="small quiet">{text.account.linksHint}</p>
        </div>
      </header>
      <ul>
        {links.map((link) => (
          <One key={link.id} link={link} name={nameOf(link)} />
        ))}
      </ul>
    </section>
  );
}

function One({ link, name }: { readonly link: SignInLink; readonly name: string }) {
  const params = { path: { link_id: link.id } };
  return (
    <EntryItem
      icon="user"
      title={<strong>{name}</strong>}
      facts={
        <>
          {link.email && <span>{link.email}</span>}
          <Moment iso={link.created_at} show={(iso) => text.account.linked(showAgo(iso))} />
          {link.last_used_at && (
            <Moment iso={link.last_used_at} show={(iso) => text.account.used(showAgo(iso))} />
          )}
        </>
      }
      end={{
        label: text.account.unlink,
        name: text.account.unlinkOf(name),
        run: () => dataOf(api.DELETE('/oidc/links/{link_id}', { params })),
      }}
    />
  );
}
