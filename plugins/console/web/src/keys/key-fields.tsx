import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { algorithmsQuery, type ApiKey } from '../api/queries.ts';
import { useAlgorithmNames } from '../calls/algorithm-names.ts';
import { useDelayed } from '../parts/delayed.ts';
import { entered } from '../parts/plain-text.ts';
import { text } from '../texts/text.ts';

export const LIVES = [7, 30, 90, 365];
const SCOPES = ['read', 'call', 'manage'] as const;
const DAY_MS = 86_400_000;
const MOST_SHOWN = 50;

/** What a form says about a key. */
export function keyIn(form: FormData) {
  const networks = entered(form, 'networks').split(/[\s,;]+/);
  return {
    name: entered(form, 'name'),
    scopes: SCOPES.filter((scope) => form.get(scope) === 'on'),
    algorithms: none(form.getAll('algorithm').map(String)),
    networks: none(networks.filter((network) => network !== '')),
  };
}

/** When a key ends that is valid for a number of days from now. */
export function endAfter(days: number): string {
  return new Date(Date.now() + days * DAY_MS).toISOString();
}

/** No entry is no restriction. */
function none(list: string[]): string[] | null {
  return list.length > 0 ? list : null;
}

export function ScopeFields({ scopes }: { readonly scopes: readonly string[] }) {
  return (
    <fieldset className="field scopes">
      <legend className="label">{text.keys.scopes}</legend>
      <div className="row">
        {SCOPES.map((scope) => (
          <label key={scope} className="row small">
            <input type="checkbox" name={scope} defaultChecked={scopes.includes(scope)} />
            {text.keys.scopeNames[scope]}
          </label>
        ))}
      </div>
    </fieldset>
  );
}

/** The restrictions of a key to algorithms and networks, which few keys have. */
export function Restrictions(props: {
  readonly of?: ApiKey | undefined;
  readonly errors: ReadonlyMap<string, string>;
}) {
  const { of, errors } = props;
  const id = useId();
  const isRestricted = of !== undefined && (of.algorithms ?? of.networks) !== null;
  const wrong = [...errors].find(([pointer]) => pointer.startsWith('/body/networks'))?.[1];
  return (
    <details className="advanced-key" open={isRestricted}>
      <summary>{text.keys.advanced}</summary>
      <div className="stack">
        <AlgorithmChoice initial={of?.algorithms ?? []} />
        <div className="field">
          <label htmlFor={id}>{text.keys.networks}</label>
          <textarea
            id={id}
            name="networks"
            className="input"
            rows={2}
            defaultValue={of?.networks?.join('\n')}
            placeholder="192.0.2.0/24"
            aria-describedby={`${id}-hint`}
            aria-invalid={wrong !== undefined}
          />
          <p id={`${id}-hint`} className={wrong ? 'wrong' : 'hint'}>
            {wrong ?? text.keys.networksHint}
          </p>
        </div>
      </div>
    </details>
  );
}

/** Chosen algorithms come first and stay while others are searched for. */
function AlgorithmChoice({ initial }: { readonly initial: readonly string[] }) {
  const id = useId();
  const [chosen, setChosen] = useState<readonly string[]>(initial);
  const [word, setWord] = useState('');
  const q = useDelayed(word.trim());
  const asked = { sort: 'name' as const, limit: MOST_SHOWN, ...(q && { q }) };
  const { data } = useQuery(algorithmsQuery(asked));
  const names = useAlgorithmNames(chosen);
  const others = (data?.algorithms ?? []).filter((algorithm) => !chosen.includes(algorithm.id));
  const shown = [...chosen.map((one) => ({ id: one, name: names.get(one) ?? one })), ...others];
  return (
    <fieldset className="field scopes">
      <legend className="label">{text.keys.algorithms}</legend>
      <input
        type="search"
        className="input"
        maxLength={200}
        aria-label={text.keys.findAlgorithm}
        placeholder={text.keys.findAlgorithm}
        value={word}
        onChange={(event) => setWord(event.currentTarget.value)}
        // It searches the list, and does not send the form.
        onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
      />
      <div className="choices" role="group" aria-describedby={`${id}-hint`}>
        {shown.map((algorithm) => (
          <label key={algorithm.id} className="row small">
            <input
              type="checkbox"
              name="algorithm"
              value={algorithm.id}
              checked={chosen.includes(algorithm.id)}
              onChange={({ currentTarget: { checked } }) =>
                setChosen(
                  checked ? [...chosen, algorithm.id] : chosen.filter((other) => other !== algorithm.id),
                )
              }
            />
            {algorithm.name}
          </label>
        ))}
      </div>
      <p id={`${id}-hint`} className="hint">
        {text.keys.algorithmsHint}
      </p>
    </fieldset>
  );
}
