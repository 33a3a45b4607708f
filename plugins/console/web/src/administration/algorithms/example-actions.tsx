import { useState } from 'react';
import { useChange } from '../../api/change.ts';
import { api, dataOf } from '../../api/client.ts';
import type { Example, Version } from '../../api/queries.ts';
import { Confirmation } from '../../parts/confirmation.tsx';
import { Fault } from '../../parts/states.tsx';
import { adminText, text } from '../../texts/text.ts';

interface ActionProps {
  readonly version: Version;
  readonly example: Example;
}

const ROUTE = '/algorithms/{algorithm_id}/versions/{version_id}/examples/{example_id}';

const pathOf = ({ version, example }: ActionProps) => ({
  algorithm_id: version.algorithm_id,
  version_id: version.id,
  example_id: example.id,
});

/** Has the playground begin with this example. */
export function MakeDefaultExample(props: ActionProps) {
  const change = useChange(() =>
    dataOf(api.PUT(ROUTE, { params: { path: pathOf(props) }, body: { is_default: true } })),
  );
  return (
    <>
      <button
        type="button"
        className="button small"
        aria-label={adminText.algorithms.makeDefaultOf(props.example.name)}
        aria-disabled={change.isPending}
        onClick={() => change.isPending || change.mutate(undefined)}
      >
        {text.examples.makeDefault}
      </button>
      {change.error && <Fault error={change.error} />}
    </>
  );
}

export function DeleteExample(props: ActionProps) {
  const { name } = props.example;
  const [isAsked, setAsked] = useState(false);
  return (
    <>
      <button
        type="button"
        className="button small danger"
        aria-label={adminText.algorithms.deleteOf(name)}
        onClick={() => setAsked(true)}
      >
        {text.examples.remove}
      </button>
      {isAsked && (
        <Confirmation
          title={text.examples.removeTitle(name)}
          action={text.examples.remove}
          run={() => dataOf(api.DELETE(ROUTE, { params: { path: pathOf(props) } }))}
          close={() => setAsked(false)}
        >
          <p>{text.examples.removeText}</p>
        </Confirmation>
      )}
    </>
  );
}
