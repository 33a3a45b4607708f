import { useMemo, useState } from 'react';
import { showNumber, text } from '../texts/text.ts';

/** Members that are shown before one asks for more, so that a long list does not freeze the page. */
const STEP = 100;
const LONGEST_TEXT = 400;
/** What one more click shows of a text; all of it is in the JSON text and the download. */
const MOST_TEXT = 20_000;

/** A JSON value that folds. Everything in it is shown as text. */
export function JsonTree({ value }: { readonly value: unknown }) {
  return (
    <div className="tree">
      <Node value={value} depth={0} />
    </div>
  );
}

function Node({
  name,
  value,
  depth,
}: {
  readonly name?: string;
  readonly value: unknown;
  readonly depth: number;
}) {
  const label = name === undefined ? null : <span className="key">{name}: </span>;
  if (typeof value !== 'object' || value === null) {
    return (
      <>
        {label}
        <Leaf value={value} />
      </>
    );
  }
  return <Branch label={label} value={value} depth={depth} />;
}

function Branch(props: { readonly label: React.ReactNode; readonly value: object; readonly depth: number }) {
  const { label, value, depth } = props;
  const isList = Array.isArray(value);
  const names = useMemo(() => (Array.isArray(value) ? undefined : Object.keys(value)), [value]);
  const count = names?.length ?? (value as readonly unknown[]).length;
  const [isOpen, setOpen] = useState(depth < 2 && count <= 50);
  const [shown, setShown] = useState(STEP);
  return (
    <details open={isOpen} onToggle={(event) => (event.stopPropagation(), setOpen(event.currentTarget.open))}>
      <summary>
        {label}
        <span className="quiet">
          {isList ? `[${text.playground.items(count)}]` : `{${text.playground.fields(count)}}`}
        </span>
      </summary>
      {isOpen && (
        <ul>
          {membersOf(value, names, shown).map(([name, each]) => (
            <li key={name}>
              <Node name={name} value={each} depth={depth + 1} />
            </li>
          ))}
          {shown < count && (
            <li>
              <button type="button" className="button small" onClick={() => setShown(shown + STEP * 5)}>
                {text.playground.showMore(count - shown)}
              </button>
            </li>
          )}
        </ul>
      )}
    </details>
  );
}

/** The first members. A list may have a million, so its others are not touched. */
function membersOf(
  value: object,
  names: readonly string[] | undefined,
  shown: number,
): readonly (readonly [string, unknown])[] {
  if (!names) return (value as readonly unknown[]).slice(0, shown).map((each, i) => [String(i), each]);
  return names.slice(0, shown).map((name) => [name, (value as Record<string, unknown>)[name]]);
}

function Leaf({ value }: { readonly value: unknown }) {
  const [isWhole, setWhole] = useState(false);
  if (typeof value !== 'string') {
    return <span className={typeof value === 'number' ? 'number' : 'other'}>{String(value)}</span>;
  }
  const most = isWhole ? MOST_TEXT : LONGEST_TEXT;
  if (value.length <= most) return <span className="string">{JSON.stringify(value)}</span>;
  return (
    <>
      <span className="string">{JSON.stringify(value.slice(0, most))}… </span>
      <span className="quiet">{text.results.characters(showNumber(value.length))} </span>
      {!isWhole && (
        <button type="button" className="button small" onClick={() => setWhole(true)}>
          {text.results.showLonger}
        </button>
      )}
    </>
  );
}
