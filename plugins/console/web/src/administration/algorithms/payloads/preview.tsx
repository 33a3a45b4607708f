import type { Example } from '../../../api/queries.ts';
import { FilterSelect } from '../../../parts/choice.tsx';
import { adminText } from '../../../texts/text.ts';
import { JsonText } from '../../../views/json-text.tsx';
import { FIELDS, keptOf, type Rule, type Rules } from './kept.ts';

/** What the record of a call with an example would keep, before the rules are saved. */
export function Preview(props: {
  readonly rules: Rules;
  readonly samples: readonly Example[];
  readonly sample: Example | undefined;
  readonly choose: (id: string | undefined) => void;
}) {
  const { rules, samples, sample, choose } = props;
  const words = adminText.payloads;
  return (
    <section className="card" aria-labelledby="preview">
      <header>
        <h2 id="preview">{words.preview}</h2>
        {samples.length > 1 && (
          <FilterSelect
            label={words.sample}
            options={samples.map(({ id }) => id)}
            chosen={sample?.id}
            nameOf={(id) => samples.find((each) => each.id === id)?.name ?? ''}
            choose={choose}
          />
        )}
      </header>
      <div className="body stack" aria-live="polite">
        {sample ? (
          FIELDS.map((field) => (
            <div key={field} className="stack tight">
              <h3 className="small">{words.fields[field]}</h3>
              <Kept value={sample[field]} rule={rules[field]} />
            </div>
          ))
        ) : (
          <p className="quiet">{words.noSample}</p>
        )}
      </div>
    </section>
  );
}

function Kept({ value, rule }: { readonly value: unknown; readonly rule: Rule }) {
  const words = adminText.payloads;
  if (value === null) return <p className="quiet">{words.unknown}</p>;
  if (rule.mode === 'drop') return <p className="quiet">{words.dropped}</p>;
  if (rule.mode === 'hash') {
    return (
      <p>
        <code>hmac-sha256:…</code> <span className="quiet">{words.hashed}</span>
      </p>
    );
  }
  return <JsonText value={keptOf(value, rule)} />;
}
