import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useChange } from '../../api/change.ts';
import { api, dataOf } from '../../api/client.ts';
import type { Algorithm, Version } from '../../api/queries.ts';
import { Confirmation } from '../../parts/confirmation.tsx';
import { Fault } from '../../parts/states.tsx';
import { adminText, text } from '../../texts/text.ts';

const pathOf = ({ algorithm_id, id }: Version) => ({ algorithm_id, version_id: id });

export const makeDefault = (version: Version) =>
  dataOf(
    api.PUT('/algorithms/{algorithm_id}/versions/{version_id}', {
      params: { path: pathOf(version) },
      body: { is_default: true },
    }),
  );

export const removeVersion = (version: Version) =>
  dataOf(
    api.DELETE('/algorithms/{algorithm_id}/versions/{version_id}', { params: { path: pathOf(version) } }),
  );

/** Has calls of the default version go to this one. */
export function MakeDefault({ version }: { readonly version: Version }) {
  const words = adminText.algorithms;
  const change = useChange(() => makeDefault(version));
  return (
    <>
      <button
        type="button"
        className="button"
        aria-label={words.makeDefaultOf(version.version)}
        aria-disabled={change.isPending}
        onClick={() => change.isPending || change.mutate(undefined)}
      >
        {text.examples.makeDefault}
      </button>
      {change.error && <Fault error={change.error} />}
    </>
  );
}

/** Deletes a version. */
export function DeleteVersion({
  algorithm,
  version,
}: {
  readonly algorithm: Algorithm;
  readonly version: Version;
}) {
  const words = adminText.algorithms;
  const navigate = useNavigate();
  const [isAsked, setAsked] = useState(false);
  const leave = (): void =>
    void navigate({
      ignoreBlocker: true,
      to: '/administration/algorithms/$algorithmId',
      params: { algorithmId: algorithm.id },
      search: { tab: 'versions' },
    });
  return (
    <>
      <button type="button" className="button danger" onClick={() => setAsked(true)}>
        {text.examples.remove}
      </button>
      {isAsked && (
        <Confirmation
          title={words.deleteVersionTitle(version.version)}
          action={text.examples.remove}
          run={() => removeVersion(version)}
          done={leave}
          close={() => setAsked(false)}
        >
          <p>{version.is_default ? words.deleteDefaultText : words.deleteVersionText}</p>
        </Confirmation>
      )}
    </>
  );
}
