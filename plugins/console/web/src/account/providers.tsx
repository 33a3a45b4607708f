import { useMutation, useQuery } from '@tanstack/react-query';
import { api, dataOf } from '../api/client.ts';
import { providersQuery } from '../api/queries.ts';
import { text } from '../texts/text.ts';
import { Refused } from './credentials-form.tsx';

/** The ways to sign in by a provider, where there are some. The browser comes back to `next`. */
export function Providers({ next }: { readonly next: string | undefined }) {
  const { data: providers = [] } = useQuery(providersQuery);
  const begin = useMutation({
    mutationFn: (provider_id: string) =>
      dataOf(
        api.POST('/oidc/sign-in/{provider_id}', {
          params: { path: { provider_id } },
          body: next === undefined ? {} : { next },
        }),
      ),
    onSuccess: ({ url }) => location.assign(url),
  });
  if (providers.length === 0) return undefined;
  return (
    <div className="stack providers">
      <p className="or quiet">{text.account.or}</p>
      {providers.map(({ id, name }) => (
        <button
          key={id}
          type="button"
          className="button"
          aria-disabled={begin.isPending || begin.isSuccess}
          onClick={() => !begin.isPending && !begin.isSuccess && begin.mutate(id)}
        >
          {text.account.byProvider(name)}
        </button>
      ))}
      {begin.error && <Refused error={begin.error} />}
    </div>
  );
}
