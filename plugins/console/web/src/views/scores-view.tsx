import { useState } from 'react';
import { isObject } from '../playground/fields.ts';
import { plainText } from '../parts/plain-text.ts';
import { text } from '../texts/text.ts';
import type { PaletteView as Palette, ScoresView as Scores } from './choose.ts';
import { shortNumber } from './numbers.ts';

const FIRST = 25;

export function rowsOf(value: unknown): readonly Record<string, unknown>[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

/** Labels with the bars of their scores, in the order in which they were answered. */
export function ScoresView({ value, view }: { readonly value: unknown; readonly view: Scores }) {
  const [shown, setShown] = useState(FIRST);
  const scores = rowsOf(value).map((row) => ({
    label: plainText(row[view.label]),
    score: Number(row[view.score]),
  }));
  const isShare = scores.every(({ score }) => score >= 0 && score <= 1);
  const largest = scores.reduce((most, { score }) => Math.max(most, Math.abs(score) || 0), Number.EPSILON);
  return (
    <>
      <ul className="scores">
        {scores.slice(0, shown).map(({ label, score }, i) => (
          <li key={i}>
            <span className="label">{label.slice(0, 200)}</span>
            <span className="bar" aria-hidden="true">
              <i
                className={score < 0 ? 'below' : ''}
                style={{ width: `${(Math.abs(score) / (isShare ? 1 : largest)) * 100}%` }}
              />
            </span>
            <span className="value">{shortNumber(score)}</span>
          </li>
        ))}
      </ul>
      {scores.length > shown && (
        <button type="button" className="button small more" onClick={() => setShown(shown + 200)}>
          {text.playground.showMore(scores.length - shown)}
        </button>
      )}
    </>
  );
}

const COLOUR = /^#[0-9a-f]{6}$/i;

export function PaletteView({ value, view }: { readonly value: unknown; readonly view: Palette }) {
  const swatches = rowsOf(value)
    .map((row) => ({ colour: plainText(row[view.colour]), share: Number(row[view.share]) }))
    .filter((each) => COLOUR.test(each.colour))
    .slice(0, 64);
  return (
    <>
      <div className="palette" aria-hidden="true">
        {swatches.map((each, i) => (
          <span key={i} style={{ background: each.colour, flexGrow: Math.max(each.share, 0.01) }} />
        ))}
      </div>
      <ul className="palette-list">
        {swatches.map((each, i) => (
          <li key={i}>
            <span className="swatch" style={{ background: each.colour }} />
            <code>{each.colour}</code>
            <span className="quiet small">{(each.share * 100).toFixed(1)} %</span>
          </li>
        ))}
      </ul>
    </>
  );
}
