import { useState } from 'react';
import { text } from '../texts/text.ts';

/** Members that are shown before one asks for more, so that a long list does not freeze the page. */
const STEP = 100;
const LONGEST_TEXT = 400;

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
  const [isOpen, setOpen] = useState(depth < 2 && Object.keys(value).length <= 50);
  const [shown, setShown] = useState(STEP);
  const entries = isOpen ? Object.entries(value) : [];
  const count = Object.keys(value).length;
  const isList = Array.isArray(value);
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
          {entries.slice(0, shown).map(([name, each]) => (
            <li key={name}>
              <Node name={name} value={each} depth={depth + 1} />
            </li>
          ))}
          {shown < entries.length && (
            <li>
              <button type="button" className="button small" onClick={() => setShown(shown + STEP * 5)}>
                {text.playground.showMore(entries.length - shown)}
              </button>
            </li>
          )}
        </ul>
      )}
    </details>
  );
}

function Leaf({ value }: { readonly value: unknown }) {
  const [isWhole, setWhole] = useState(false);
  if (typeof value !== 'string') {
    return <span className={typeof value === 'number' ? 'number' : 'other'}>{String(value)}</span>;
  }
  if (value.length <= LONGEST_TEXT || isWhole) return <span className="string">{JSON.stringify(value)}</span>;
  return (
    <>
      <span className="string">{JSON.stringify(value.slice(0, LONGEST_TEXT))}… </span>
      <button type="button" className="button small" onClick={() => setWhole(true)}>
        {text.playground.showMore(value.length - LONGEST_TEXT)}
      </button>
    </>
  );
}
