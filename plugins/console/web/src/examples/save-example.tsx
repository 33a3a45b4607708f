import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { api, dataOf } from '../api/client.ts';
import { examplesQuery, type Call, type Example } from '../api/queries.ts';
import { Icon } from '../parts/icon.tsx';
import { text } from '../texts/text.ts';
import { ExampleDialog } from './example-dialog.tsx';
import type { ExampleAbout } from './example-form.tsx';
import { useManages } from './rights.ts';

/** Lets those who manage the algorithm keep a call, with its result, as an example of its version. */
export function SaveExample({ call }: { readonly call: Call }) {
  const manages = useManages(call.algorithm_id);
  const [isOpen, setOpen] = useState(false);
  const [saved, setSaved] = useState<Example>();
  if (!manages || call.status !== 'success') return null;
  if (saved) {
    return (
      <span role="status">
        <Link
          to="/algorithms/$algorithmId"
          params={{ algorithmId: call.algorithm_id }}
          search={{ version: call.version_id, example: saved.id }}
        >
          {text.examples.savedAs(saved.name)}
        </Link>
      </span>
    );
  }
  return (
    <>
      <button type="button" className="button small" onClick={() => setOpen(true)}>
        <Icon name="star" size={15} />
        {text.examples.saveCall}
      </button>
      {isOpen && (
        <OpenDialog
          call={call}
          close={() => setOpen(false)}
          done={(example) => {
            setOpen(false);
            setSaved(example);
          }}
        />
      )}
    </>
  );
}

const NEW: ExampleAbout = { name: '', description: '', is_default: false };

function OpenDialog({
  call: { id: call_id, algorithm_id, version_id },
  close,
  done,
}: {
  readonly call: Call;
  readonly close: () => void;
  readonly done: (example: Example) => void;
}) {
  const queries = useQueryClient();
  const create = useMutation({
    mutationFn: (about: ExampleAbout) =>
      dataOf(
        api.POST('/algorithms/{algorithm_id}/versions/{version_id}/examples', {
          params: { path: { algorithm_id, version_id } },
          body: { ...about, call_id },
        }),
      ),
    onSuccess: (example) => {
      void queries.invalidateQueries({ queryKey: examplesQuery(algorithm_id, version_id).queryKey });
      done(example);
    },
  });
  return (
    <ExampleDialog
      title={text.examples.saveCall}
      before={NEW}
      isBusy={create.isPending}
      error={create.error}
      save={create.mutate}
      close={close}
    />
  );
}
