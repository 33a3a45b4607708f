import { Link } from '@tanstack/react-router';
import { useAlgorithmNames } from '../../calls/algorithm-names.ts';
import type { Column } from '../../parts/list-table.tsx';
import { safeAddress } from '../../parts/safe-address.ts';
import { adminText, text } from '../../texts/text.ts';
import type { Repository } from './queries.ts';

interface Actions {
  readonly edit: (repository: Repository) => void;
  readonly remove: (repository: Repository) => void;
  /** Changes it on the code-hosting server, where there is one. */
  readonly host?: (repository: Repository) => void;
}

/** What the list shows of a repository. */
export function useRepositoryColumns(
  repositories: readonly Repository[],
  actions: Actions,
): readonly Column<Repository>[] {
  const words = adminText.repositories;
  const names = useAlgorithmNames(repositories.flatMap(({ algorithm_id: id }) => id ?? []));
  return [
    {
      label: words.name,
      kind: 'main',
      cell: (repository) => (
        <>
          <button type="button" className="as-link" onClick={() => actions.edit(repository)}>
            {repository.name}
          </button>
          <small className="quiet">{repository.description}</small>
          {repository.status === 'archived' && (
            <span className="badge">{words.statuses[repository.status]}</span>
          )}
        </>
      ),
    },
    { label: words.type, cell: ({ type }) => type },
    { label: words.source, kind: 'long', cell: Source },
    {
      label: words.algorithm,
      kind: 'long',
      cell: ({ algorithm_id: id }) =>
        id && (
          <Link to="/algorithms/$algorithmId" params={{ algorithmId: id }}>
            {names.get(id) ?? '…'}
          </Link>
        ),
    },
    {
      label: text.keys.actions,
      kind: 'actions',
      cell: (repository) => <Buttons repository={repository} actions={actions} />,
    },
  ];
}

function Buttons({ repository, actions }: { readonly repository: Repository; readonly actions: Actions }) {
  const words = adminText.repositories;
  const { name, host_full_name: hostedAs } = repository;
  const { edit, host, remove } = actions;
  return (
    <>
      <button
        type="button"
        className="button small"
        aria-label={text.keys.actionOf.change(name)}
        onClick={() => edit(repository)}
      >
        {text.keys.change}
      </button>
      {host && hostedAs !== null && (
        <button
          type="button"
          className="button small"
          aria-label={`${words.onServer}: ${name}`}
          onClick={() => host(repository)}
        >
          {words.onServer}
        </button>
      )}
      <button
        type="button"
        className="button small danger"
        aria-label={words.deleteOf(name)}
        onClick={() => remove(repository)}
      >
        {words.delete}
      </button>
    </>
  );
}

/** Only an address of the web can be followed. */
function Source({ repo_url: url, branch, host_full_name: hostedAs }: Repository) {
  const address = /^https?:/.test(url) ? safeAddress(url) : undefined;
  return (
    <>
      {address ? (
        <a href={address} rel="noreferrer">
          {url}
        </a>
      ) : (
        url || '–'
      )}
      {url && <small className="hint">{branch}</small>}
      {hostedAs !== null && <small className="hint">{adminText.repositories.hosted(hostedAs)}</small>}
    </>
  );
}
