import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useRouter } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { signInByProvider } from '../api/session.ts';
import { Skeleton } from '../parts/states.tsx';
import { useTitle } from '../parts/title.ts';
import { arrivedQuery } from '../place.ts';
import { text } from '../texts/text.ts';
import { Refused } from './credentials-form.tsx';

/** Where a provider sends the browser back: hands its answer to the service once, and goes on where the sign-in was begun. */
export function ProviderPage() {
  useTitle(text.account.signInTitle);
  const { providerId } = useParams({ from: '/sign-in/$providerId' });
  const queries = useQueryClient();
  const router = useRouter();
  const navigate = useNavigate();
  const isSent = useRef(false);
  const { mutate: finish, error } = useMutation({
    mutationFn: () => signInByProvider(queries, providerId, arrivedQuery),
    onSuccess: ({ next }) => {
      if (next) router.history.replace(next);
      else void navigate({ to: '/', replace: true });
    },
  });
  useEffect(() => {
    if (!isSent.current) finish();
    isSent.current = true;
  }, [finish]);
  return (
    <section className="card narrow">
      <div className="body stack">
        <h1>{text.account.signInTitle}</h1>
        {error ? (
          <>
            <Refused error={error} />
            <Link to="/sign-in">{text.account.backToSignIn}</Link>
          </>
        ) : (
          <>
            <p className="quiet" role="status">
              {text.account.providerWait}
            </p>
            <Skeleton style={{ height: 96 }} />
          </>
        )}
      </div>
    </section>
  );
}
