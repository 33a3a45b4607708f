import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useChange } from '../../api/change.ts';
import type { Algorithm } from '../../api/queries.ts';
import { RadioChoice } from '../../parts/choice.tsx';
import { DialogForm } from '../../parts/dialog-form.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { entered } from '../../parts/plain-text.ts';
import { TextField } from '../../parts/text-field.tsx';
import { adminText, text } from '../../texts/text.ts';
import { copyAlgorithm, type CopyOptions } from './copy-algorithm.ts';

const VERSIONS = ['all', 'default', 'none'] as const;

/** Makes another algorithm like this one; asks which of its versions it has. */
export function DuplicateAlgorithm({ algorithm }: { readonly algorithm: Algorithm }) {
  const words = adminText.algorithms;
  const [isAsked, setAsked] = useState(false);
  return (
    <>
      <button type="button" className="button" onClick={() => setAsked(true)}>
        {words.duplicate}
      </button>
      {isAsked && <CopyDialog algorithm={algorithm} close={() => setAsked(false)} />}
    </>
  );
}

function CopyDialog({ algorithm, close }: { readonly algorithm: Algorithm; readonly close: () => void }) {
  const words = adminText.algorithms;
  const navigate = useNavigate();
  const [versions, setVersions] = useState<CopyOptions['versions']>('all');
  const copy = useChange(
    (options: CopyOptions) => copyAlgorithm(algorithm, options),
    (algorithmId) => {
      close();
      void navigate({ to: '/administration/algorithms/$algorithmId', params: { algorithmId } });
    },
  );
  return (
    <Dialog title={words.duplicateTitle(algorithm.name)} close={close}>
      <DialogForm
        action={words.duplicate}
        change={copy}
        waiting={words.copying}
        submit={(form) => {
          const name = entered(form, 'name').trim();
          copy.mutate({ name, versions, hasExamples: form.get('examples') === 'on' });
        }}
        cancel={close}
      >
        <p>{words.duplicateText}</p>
        <TextField
          label={text.examples.name}
          name="name"
          maxLength={200}
          defaultValue={words.copyOf(algorithm.name)}
        />
        <RadioChoice
          legend={text.algorithm.versions}
          options={VERSIONS}
          chosen={versions}
          choose={setVersions}
          show={(each) => words.copiedVersions[each]}
        />
        {versions !== 'none' && (
          <label className="switch">
            <input type="checkbox" name="examples" defaultChecked />
            {words.copyExamples}
          </label>
        )}
      </DialogForm>
    </Dialog>
  );
}
