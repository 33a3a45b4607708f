import { useState } from 'react';
import { useChange } from '../../api/change.ts';
import { api, dataOf } from '../../api/client.ts';
import type { Example, Version } from '../../api/queries.ts';
import { ExampleDialog } from '../../examples/example-dialog.tsx';
import type { ExampleAbout } from '../../examples/example-form.tsx';
import { Icon } from '../../parts/icon.tsx';
import { adminText, text } from '../../texts/text.ts';
import type { Tried } from './trial-bench.tsx';

/** Saves what was tried as an example of a version, with what came back as what is expected. */
export function saveTried(
  { id, algorithm_id }: Version,
  tried: Tried,
  about: string | ExampleAbout,
): Promise<Example> {
  const words = typeof about === 'string' ? { name: about } : about;
  return dataOf(
    api.POST('/algorithms/{algorithm_id}/versions/{version_id}/examples', {
      params: { path: { algorithm_id, version_id: id } },
      body: { ...words, ...tried },
    }),
  );
}

/** Whether what was tried becomes an example of a version that is not saved yet. */
export function KeepTried({
  isKept,
  keep,
}: {
  readonly isKept: boolean;
  readonly keep: (isKept: boolean) => void;
}) {
  return (
    <label className="switch">
      <input type="checkbox" checked={isKept} onChange={({ target }) => keep(target.checked)} />
      <span>{adminText.algorithms.keepTried}</span>
    </label>
  );
}

const NEW: ExampleAbout = { name: '', description: '', is_default: false };

/** Saves what was tried as an example of a version that is saved. */
export function SaveTried({ version, tried }: { readonly version: Version; readonly tried: Tried }) {
  const [isOpen, setOpen] = useState(false);
  const save = useChange(
    (about: ExampleAbout) => saveTried(version, tried, about),
    () => setOpen(false),
  );
  return (
    <div className="row">
      <button type="button" className="button small" onClick={() => setOpen(true)}>
        <Icon name="star" size={15} />
        {text.examples.saveCall}
      </button>
      <span className="small quiet" role="status">
        {save.isSuccess && text.examples.savedAs(save.data.name)}
      </span>
      {isOpen && (
        <ExampleDialog
          title={text.examples.saveCall}
          before={NEW}
          isBusy={save.isPending}
          error={save.error}
          save={save.mutate}
          close={() => setOpen(false)}
        />
      )}
    </div>
  );
}
