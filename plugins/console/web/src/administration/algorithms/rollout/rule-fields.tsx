import { useState } from 'react';
import { entered } from '../../../parts/plain-text.ts';
import { TextField } from '../../../parts/text-field.tsx';
import { adminText } from '../../../texts/text.ts';
import type { RouteDetail } from '../../queries.ts';

/** When a canary is withdrawn by itself, as a form says it; null for never. */
export function ruleIn(form: FormData) {
  if (form.get('watched') !== 'on') return null;
  const number = (name: string): number => Number(entered(form, name));
  return {
    max_failure_percent: number('max_failure_percent'),
    min_calls: number('min_calls'),
    window_s: number('window_s'),
  };
}

const DEFAULT_RULE = { max_failure_percent: 10, min_calls: 20, window_s: 60 };

/** What few change: whose calls are spread and how, and when a canary is withdrawn by itself. */
export function FewFields({ route }: { readonly route: RouteDetail | undefined }) {
  const words = adminText.rollout;
  const [isWatched, setWatched] = useState(route ? route.rollback !== null : true);
  const rule = route?.rollback ?? DEFAULT_RULE;
  return (
    <>
      <label className="switch">
        <input
          type="checkbox"
          name="watched"
          checked={isWatched}
          onChange={({ target }) => setWatched(target.checked)}
        />
        <span>{words.watched}</span>
      </label>
      {isWatched && (
        <div className="new-grant">
          <NumberField name="max_failure_percent" least={0} most={99} initial={rule.max_failure_percent} />
          <NumberField name="min_calls" least={1} most={100_000} initial={rule.min_calls} />
          <NumberField name="window_s" least={10} most={3600} initial={rule.window_s} />
        </div>
      )}
      <label className="switch">
        <input type="checkbox" name="sticky" defaultChecked={route?.sticky ?? true} />
        <span>{words.sticky}</span>
      </label>
      <label className="switch">
        <input type="checkbox" name="all" defaultChecked={route?.applies_to === 'all'} />
        <span>{words.all}</span>
      </label>
    </>
  );
}

function NumberField(props: {
  readonly name: keyof typeof DEFAULT_RULE;
  readonly least: number;
  readonly most: number;
  readonly initial: number;
}) {
  const { name, least, most, initial } = props;
  return (
    <TextField
      type="number"
      label={adminText.rollout.rule[name]}
      name={name}
      min={least}
      max={most}
      step={1}
      defaultValue={initial}
    />
  );
}
