import { useId } from 'react';
import { useChange } from '../../../api/change.ts';
import { api, dataOf } from '../../../api/client.ts';
import type { Algorithm } from '../../../api/queries.ts';
import { FilterSelect } from '../../../parts/choice.tsx';
import { entered } from '../../../parts/plain-text.ts';
import { Fault } from '../../../parts/states.tsx';
import { SubmitButton } from '../../../parts/submit-button.tsx';
import { TextField } from '../../../parts/text-field.tsx';
import { Unsaved } from '../../../parts/unsaved.tsx';
import { adminText, showNumber } from '../../../texts/text.ts';
import type { RouteDetail } from '../../queries.ts';
import { useFollowed } from '../../followed.ts';
import { labelsOf } from './labels.ts';
import { FewFields, ruleIn } from './rule-fields.tsx';
import {
  FULL,
  firstShares,
  mostFor,
  restOf,
  sharesOf,
  versionsOf,
  withoutCanary,
  withShare,
  withStable,
  type Shares,
} from './shares.ts';

/** As many as a route may have. */
const MOST_VERSIONS = 16;

/** Sets the shares of the versions, which always add up: what the canaries leave is for the stable version. */
export function ShareForm({
  algorithm,
  route,
}: {
  readonly algorithm: Algorithm;
  readonly route: RouteDetail | undefined;
}) {
  const words = adminText.rollout;
  const labelOf = labelsOf(algorithm);
  const followed = useFollowed(route ? sharesOf(route) : firstShares(algorithm.versions), route?.revision);
  const { value: shares, revision, enter: setShares } = followed;
  const save = useChange(
    (form: FormData) =>
      dataOf(
        api.PUT('/gateway/routes/{algorithm_id}', {
          params: { path: { algorithm_id: algorithm.id } },
          body: {
            versions: versionsOf(shares),
            stable_version_id: shares.stable,
            sticky: form.get('sticky') === 'on',
            applies_to: form.get('all') === 'on' ? 'all' : 'default',
            rollback: ruleIn(form),
            reason: entered(form, 'reason').trim() || null,
            ...(revision !== undefined && { revision }),
          },
        }),
      ),
    followed.follow,
  );
  const ids = [shares.stable, ...shares.canaries.keys()];
  const others = algorithm.versions.map(({ id }) => id).filter((id) => !ids.includes(id));
  return (
    <form
      className="card"
      aria-labelledby="shares"
      onChange={followed.touch}
      onSubmit={(event) => {
        event.preventDefault();
        if (!save.isPending) save.mutate(new FormData(event.currentTarget));
      }}
    >
      <Unsaved when={followed.isTouched && !save.isPending} />
      <header>
        <h2 id="shares">{words.shares}</h2>
      </header>
      <div className="body stack">
        <p className="quiet">{words.intro}</p>
        <div className="row">
          <span>{words.stable}</span>
          <FilterSelect
            label={words.stable}
            options={algorithm.versions.map(({ id }) => id)}
            chosen={shares.stable}
            nameOf={labelOf}
            choose={(id) => id && setShares(withStable(shares, id))}
          />
          <strong role="status">{words.rest(showNumber(restOf(shares)))}</strong>
        </div>
        {[...shares.canaries.keys()].map((id) => (
          <CanaryShare key={id} id={id} label={labelOf(id)} shares={shares} change={setShares} />
        ))}
        {others.length > 0 && ids.length < MOST_VERSIONS && (
          <div className="row">
            <FilterSelect
              label={words.add}
              any={words.add}
              options={others}
              chosen={undefined}
              nameOf={labelOf}
              choose={(id) => id && setShares(withShare(shares, id, Math.min(5, restOf(shares))))}
            />
          </div>
        )}
        <FewFields key={`few-${revision}`} route={route} />
        <TextField
          key={`reason-${revision}`}
          label={words.reason}
          name="reason"
          required={false}
          maxLength={500}
          hint={words.reasonHint}
        />
        {followed.isBehind && (
          <div className="notice warn">
            <p>{words.behind}</p>
            <div>
              <button
                type="button"
                className="button small"
                onClick={() => {
                  save.reset();
                  followed.follow();
                }}
              >
                {words.catchUp}
              </button>
            </div>
          </div>
        )}
        {save.error && <Fault error={save.error} />}
        <div className="row">
          <SubmitButton isBusy={save.isPending}>{route ? words.change : words.begin}</SubmitButton>
        </div>
      </div>
    </form>
  );
}

function CanaryShare(props: {
  readonly id: string;
  readonly label: string;
  readonly shares: Shares;
  readonly change: (shares: Shares) => void;
}) {
  const { id, label, shares, change } = props;
  const words = adminText.rollout;
  const field = useId();
  const percent = shares.canaries.get(id) ?? 0;
  const most = mostFor(shares, id);
  const set = (text: string): void => {
    const wanted = Number(text);
    if (Number.isInteger(wanted)) change(withShare(shares, id, Math.min(most, Math.max(0, wanted))));
  };
  return (
    <div className="field">
      <label htmlFor={field}>{words.shareOf(label)}</label>
      <div className="share">
        <input
          id={field}
          type="range"
          min={0}
          max={FULL}
          value={percent}
          aria-valuetext={`${percent} %`}
          onChange={({ target }) => set(target.value)}
        />
        <input
          type="number"
          className="input"
          aria-label={words.percentOf(label)}
          min={0}
          max={most}
          step={1}
          value={percent}
          onChange={({ target }) => set(target.value)}
        />
        <button
          type="button"
          className="button small"
          aria-label={words.removeOf(label)}
          onClick={() => change(withoutCanary(shares, id))}
        >
          {words.remove}
        </button>
      </div>
    </div>
  );
}
