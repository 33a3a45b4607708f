import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { api, dataOf } from '../api/client.ts';
import { examplesQuery, type Algorithm, type Example, type Version } from '../api/queries.ts';
import { Confirmation } from '../parts/confirmation.tsx';
import { Empty, Fault, Skeleton } from '../parts/states.tsx';
import { showDate, text } from '../texts/text.ts';
import { ExampleDialog } from './example-dialog.tsx';
import type { ExampleAbout } from './example-form.tsx';
import { Refused } from './refused.tsx';
import { useManages } from './rights.ts';

interface ExamplesProps {
  readonly algorithm: Algorithm;
  readonly version: Version;
}

/** The examples of a version; those who manage the algorithm rename, order and delete them. */
export function ExampleList({ algorithm, version }: ExamplesProps) {
  const { data: examples, error, refetch } = useQuery(examplesQuery(algorithm.id, version.id));
  const manages = useManages(algorithm.id);
  return (
    <section className="card">
      <header>
        <h2>{text.examples.of(version.version)}</h2>
      </header>
      {error && <Fault error={error} retry={() => void refetch()} />}
      {!examples && !error && <Skeleton style={{ height: 160 }} />}
      {examples?.length === 0 && (
        <Empty title={text.examples.emptyTitle}>
          {manages ? text.examples.emptyForManagers : text.examples.empty}
        </Empty>
      )}
      {examples && examples.length > 0 && (
        <ul className="example-list">
          {examples.map((example) => (
            <li key={example.id}>
              <div>
                <div className="row">
                  <Link
                    to="/algorithms/$algorithmId"
                    params={{ algorithmId: algorithm.id }}
                    search={{ version: version.id, example: example.id }}
                  >
                    {example.name}
                  </Link>
                  {example.is_default && <span className="badge">{text.algorithm.isDefault}</span>}
                  {!example.fits && <span className="badge warn">{text.examples.unfit}</span>}
                </div>
                {example.description !== '' && <p className="small">{example.description}</p>}
                <p className="small quiet">
                  {text.examples.since(showDate(example.created_at))}
                  {!example.output_data && ` · ${text.examples.noResult}`}
                </p>
                {!example.fits && <p className="small">{text.examples.unfitHint}</p>}
              </div>
              {manages && <Actions algorithm={algorithm} version={version} example={example} />}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function Actions({ algorithm, version, example }: ExamplesProps & { readonly example: Example }) {
  const [open, setOpen] = useState<'edit' | 'delete'>();
  const queries = useQueryClient();
  const path = { algorithm_id: algorithm.id, version_id: version.id, example_id: example.id };
  const onSuccess = (): void => {
    setOpen(undefined);
    void queries.invalidateQueries({ queryKey: examplesQuery(algorithm.id, version.id).queryKey });
  };
  const update = useMutation({
    mutationFn: (body: Partial<ExampleAbout>) =>
      dataOf(
        api.PUT('/algorithms/{algorithm_id}/versions/{version_id}/examples/{example_id}', {
          params: { path },
          body,
        }),
      ),
    onSuccess,
  });
  const close = (): void => {
    setOpen(undefined);
    update.reset();
  };
  return (
    <>
      <div className="row" role="group" aria-label={example.name}>
        {!example.is_default && (
          <button
            type="button"
            className="button small"
            disabled={update.isPending}
            onClick={() => update.mutate({ is_default: true })}
          >
            {text.examples.makeDefault}
          </button>
        )}
        <button type="button" className="button small" onClick={() => setOpen('edit')}>
          {text.examples.edit}
        </button>
        <button type="button" className="button small danger" onClick={() => setOpen('delete')}>
          {text.examples.remove}
        </button>
      </div>
      {open === undefined && update.error && <Refused error={update.error} />}
      {open === 'edit' && (
        <ExampleDialog
          title={text.examples.editTitle}
          before={example}
          isBusy={update.isPending}
          error={update.error}
          save={update.mutate}
          close={close}
        />
      )}
      {open === 'delete' && (
        <Confirmation
          title={text.examples.removeTitle(example.name)}
          action={text.examples.remove}
          run={() =>
            dataOf(
              api.DELETE('/algorithms/{algorithm_id}/versions/{version_id}/examples/{example_id}', {
                params: { path },
              }),
            )
          }
          close={close}
        >
          <p>{text.examples.removeText}</p>
        </Confirmation>
      )}
    </>
  );
}
