import { useNavigate, useSearch } from '@tanstack/react-router';
import { SignedIn } from '../account/signed-in.tsx';
import type { Algorithm } from '../api/queries.ts';
import { CallList } from '../calls/call-list.tsx';

/** The calls of the account of this algorithm. */
export function HistoryTab({ algorithm }: { readonly algorithm: Algorithm }) {
  const search = useSearch({ from: '/algorithms/$algorithmId' });
  const navigate = useNavigate({ from: '/algorithms/$algorithmId' });
  return (
    <SignedIn>
      {() => (
        <CallList
          search={search}
          algorithm={algorithm.id}
          namesAlgorithms={false}
          change={(part) =>
            void navigate({ search: (before) => ({ ...before, ...part }), resetScroll: 'cursor' in part })
          }
          clear={() => void navigate({ search: ({ tab, version }) => ({ tab, version }) })}
        />
      )}
    </SignedIn>
  );
}
