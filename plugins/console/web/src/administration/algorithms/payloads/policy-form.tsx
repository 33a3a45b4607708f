import { useState } from 'react';
import { useChange } from '../../../api/change.ts';
import { api, dataOf } from '../../../api/client.ts';
import type { Algorithm } from '../../../api/queries.ts';
import { Confirmation } from '../../../parts/confirmation.tsx';
import { Fault } from '../../../parts/states.tsx';
import { SubmitButton } from '../../../parts/submit-button.tsx';
import { Unsaved } from '../../../parts/unsaved.tsx';
import { errorsOf } from '../../../playground/run.ts';
import { adminText } from '../../../texts/text.ts';
import { FIELDS, type Policy, type Rule, type Rules } from './kept.ts';
import { useFollowed } from '../../followed.ts';
import { Preview } from './preview.tsx';
import { RuleField } from './rule-field.tsx';
import { useSample } from './sample.ts';

/** Says for each field what records keep of it, beside what they would keep of an example. */
export function PolicyForm({
  algorithm,
  policy,
}: {
  readonly algorithm: Algorithm;
  readonly policy: Policy;
}) {
  const words = adminText.payloads;
  const {
    value: rules,
    isTouched,
    enter,
    follow,
  } = useFollowed<Rules, string | null>(policy, policy.updated_at);
  const [isResetting, setResetting] = useState(false);
  const { samples, sample, choose } = useSample(algorithm);
  const params = { path: { algorithm_id: algorithm.id } };
  const save = useChange(
    () => dataOf(api.PUT('/algorithms/{algorithm_id}/payload-policy', { params, body: bodyOf(rules) })),
    follow,
  );
  const errors = errorsOf(save.error);
  return (
    <div className="columns">
      <form
        className="card"
        aria-labelledby="policy"
        onSubmit={(event) => {
          event.preventDefault();
          if (!save.isPending) save.mutate(undefined);
        }}
      >
        <header>
          <h2 id="policy">{words.title}</h2>
        </header>
        <div className="body stack">
          {FIELDS.map((field) => (
            <RuleField
              key={field}
              field={field}
              rule={rules[field]}
              sample={sample?.[field]}
              wrong={[...errors].flatMap(([pointer, message]) =>
                pointer.startsWith(`/body/${field}/`) ? [message] : [],
              )}
              change={(rule) => enter({ ...rules, [field]: rule })}
            />
          ))}
          {save.error && <Fault error={save.error} />}
          <div className="row">
            <SubmitButton isBusy={save.isPending}>{words.save}</SubmitButton>
            <button
              type="button"
              className="button"
              aria-disabled={policy.updated_at === null}
              onClick={() => policy.updated_at !== null && setResetting(true)}
            >
              {words.reset}
            </button>
          </div>
        </div>
      </form>
      <Unsaved when={isTouched && !save.isPending} />
      <Preview rules={rules} samples={samples} sample={sample} choose={choose} />
      {isResetting && (
        <Confirmation
          title={words.resetTitle}
          action={words.reset}
          run={() => dataOf(api.DELETE('/algorithms/{algorithm_id}/payload-policy', { params }))}
          done={follow}
          close={() => setResetting(false)}
        >
          <p>{words.resetText}</p>
        </Confirmation>
      )}
    </div>
  );
}

/** Only `redact` takes pointers; those that were entered before another mode was chosen are not sent. */
function bodyOf(rules: Rules) {
  const rule = ({ mode, pointers }: Rule) =>
    mode === 'redact' ? { mode, pointers: [...pointers] } : { mode };
  return {
    input_data: rule(rules.input_data),
    params: rule(rules.params),
    output_data: rule(rules.output_data),
  };
}
