import { useState } from 'react';
import { api, dataOf } from '../../api/client.ts';
import { RadioChoice } from '../../parts/choice.tsx';
import { Confirmation } from '../../parts/confirmation.tsx';
import { adminText } from '../../texts/text.ts';
import type { Repository } from './queries.ts';

const WAYS = ['keep', 'delete'] as const;

/** Deletes an entry; with its code only where that was asked for, and the name was typed. */
export function DeleteRepository(props: { readonly repository: Repository; readonly close: () => void }) {
  const { repository, close } = props;
  const words = adminText.repositories;
  const [hosted, setHosted] = useState<(typeof WAYS)[number]>('keep');
  const params = { path: { repo_id: repository.id }, query: { hosted } };
  return (
    <Confirmation
      title={words.deleteTitle(repository.name)}
      action={words.delete}
      {...(hosted === 'delete' && { typed: repository.name })}
      waiting={hosted === 'delete' ? words.deleting : undefined}
      run={() => dataOf(api.DELETE('/repositories/{repo_id}', { params }))}
      close={close}
    >
      {repository.host_full_name === null ? (
        <p>{words.deleteText}</p>
      ) : (
        <RadioChoice
          legend={words.hosted(repository.host_full_name)}
          options={WAYS}
          chosen={hosted}
          choose={setHosted}
          show={(way) => words.deletions[way]}
        />
      )}
    </Confirmation>
  );
}
