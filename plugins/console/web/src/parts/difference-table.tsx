import { useMemo, useState } from 'react';
import { text } from '../texts/text.ts';
import { differencesOf, excerpts, type Difference } from './differences.ts';

const SHOWN = 100;

/** Only what differs between two objects, at its place in them. */
export function Differences(props: {
  readonly title: string;
  readonly first: Record<string, unknown> | null | undefined;
  readonly second: Record<string, unknown> | null | undefined;
  /** What the two are called; two calls where it is absent. */
  readonly names?: readonly [string, string];
}) {
  const { title, first, second, names = [text.compare.first, text.compare.second] } = props;
  const [shown, setShown] = useState(SHOWN);
  const differences = useMemo(() => differencesOf(first, second), [first, second]);
  return (
    <section className="card">
      <header>
        <h2>{title}</h2>
        <span className={differences.length > 0 ? 'badge warn' : 'badge good'}>
          {differences.length > 0 ? text.compare.differences(differences.length) : text.compare.same}
        </span>
      </header>
      {differences.length > 0 && (
        <div className="table-scroll differences" tabIndex={0} role="region" aria-label={title}>
          <table>
            <thead>
              <tr>
                <th>{text.compare.where}</th>
                <th>{names[0]}</th>
                <th>{names[1]}</th>
              </tr>
            </thead>
            <tbody>
              {differences.slice(0, shown).map((difference) => (
                <Row key={difference.pointer} {...difference} />
              ))}
            </tbody>
          </table>
        </div>
      )}
      {differences.length > shown && (
        <div className="body">
          <button type="button" className="button small" onClick={() => setShown(shown + SHOWN)}>
            {text.compare.more(Math.min(SHOWN, differences.length - shown))}
          </button>
        </div>
      )}
    </section>
  );
}

function Row({ pointer, first, second }: Difference) {
  const [one, other] = excerpts(first, second);
  return (
    <tr>
      <td>{pointer ? <code>{pointer}</code> : text.compare.itself}</td>
      <td className="removed">{one === undefined ? <Missing /> : <code>{one}</code>}</td>
      <td className="added">{other === undefined ? <Missing /> : <code>{other}</code>}</td>
    </tr>
  );
}

function Missing() {
  return <span className="quiet small">{text.compare.missing}</span>;
}
