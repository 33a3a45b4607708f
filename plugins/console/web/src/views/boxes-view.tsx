import { useEffect, useMemo, useRef, useState } from 'react';
import { text } from '../texts/text.ts';
import { boxesOf, placeLabels, type Box, type BoxesView as View } from './boxes.ts';
import { shortNumber } from './numbers.ts';
import { rowsOf } from './scores-view.tsx';
import { Zoom } from './zoom.tsx';

const MOST = 500;
const HUES = ['vision', 'audio', 'ml', 'series', 'nlp', 'optimisation', 'graph', 'other'];
const LABEL_HEIGHT = 20;
const LABEL_PADDING = 12;

interface Size {
  readonly width: number;
  readonly height: number;
}

/** Labelled boxes over the picture of the input, and beside it a list of them. */
export function BoxesView({
  value,
  view,
  picture,
}: {
  readonly value: unknown;
  readonly view: View;
  readonly picture: string;
}) {
  const [natural, setNatural] = useState<Size>();
  const [active, setActive] = useState<number>();
  const boxes = useMemo(
    () => (natural ? boxesOf(rowsOf(value).slice(0, MOST), view, natural) : []),
    [natural, value, view],
  );
  const hues = useMemo(() => huesOf(boxes), [boxes]);
  return (
    <div className="boxes" onMouseLeave={() => setActive(undefined)}>
      <Zoom label={text.results.boxes}>
        <img
          className="result-picture"
          src={picture}
          alt={text.results.inputPicture}
          onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) =>
            setNatural({ width: naturalWidth, height: naturalHeight })
          }
        />
        <Overlay boxes={boxes} hues={hues} active={active} activate={setActive} />
      </Zoom>
      <BoxList boxes={boxes} hues={hues} active={active} activate={setActive} />
    </div>
  );
}

interface BoxesProps {
  readonly boxes: readonly (Box | undefined)[];
  readonly hues: ReadonlyMap<string, string>;
  readonly active: number | undefined;
  readonly activate: (index: number | undefined) => void;
}

/** One colour for each label. */
function huesOf(boxes: readonly (Box | undefined)[]): ReadonlyMap<string, string> {
  const labels = [...new Set(boxes.map((box) => box?.label ?? ''))];
  return new Map(labels.map((label, i) => [label, `hue-${HUES[i % HUES.length]!}`]));
}

function Overlay({ boxes, hues, active, activate }: BoxesProps) {
  const place = useRef<HTMLDivElement>(null);
  const [size, setSize] = useState<Size>({ width: 0, height: 0 });
  useEffect(() => {
    const element = place.current!;
    const observer = new ResizeObserver(() =>
      setSize({ width: element.clientWidth, height: element.clientHeight }),
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  const labels = useMemo(() => labelsOf(boxes, size), [boxes, size]);
  return (
    <div ref={place} className={active === undefined ? 'overlay' : 'overlay has-active'} aria-hidden="true">
      {boxes.map(
        (box, i) =>
          box && (
            <div
              key={i}
              className={i === active ? `box is-active ${hues.get(box.label)}` : `box ${hues.get(box.label)}`}
              style={{
                left: `${box.left * 100}%`,
                top: `${box.top * 100}%`,
                width: `${box.width * 100}%`,
                height: `${box.height * 100}%`,
              }}
              onMouseEnter={() => activate(i)}
            />
          ),
      )}
      {boxes.map((box, i) => {
        const spot = labels[i];
        return (
          box &&
          spot && (
            <span
              key={i}
              className={
                i === active
                  ? `box-label is-active ${hues.get(box.label)}`
                  : `box-label ${hues.get(box.label)}`
              }
              style={{ left: spot.x, top: spot.y, width: spot.width, height: spot.height }}
            >
              {labelText(box)}
            </span>
          )
        );
      })}
    </div>
  );
}

function labelText({ label, score }: Box): string {
  const short = label.length > 24 ? `${label.slice(0, 23)}…` : label;
  return score === undefined ? short : `${short} ${scoreText(score)}`.trim();
}

function scoreText(score: number): string {
  return score >= 0 && score <= 1 ? `${Math.round(score * 100)}%` : shortNumber(score);
}

function labelsOf(boxes: readonly (Box | undefined)[], bounds: Size) {
  const pen = document.createElement('canvas').getContext('2d');
  if (pen) pen.font = `600 12px ${getComputedStyle(document.documentElement).getPropertyValue('--font')}`;
  const present = boxes.flatMap((box, index) => (box && labelText(box) !== '' ? [{ box, index }] : []));
  const spots = placeLabels(
    present.map(({ box }) => ({
      x: box.left * bounds.width,
      y: box.top * bounds.height,
      width: box.width * bounds.width,
      height: box.height * bounds.height,
    })),
    present.map(({ box }) => ({
      width: Math.ceil(pen?.measureText(labelText(box)).width ?? 80) + LABEL_PADDING,
      height: LABEL_HEIGHT,
    })),
    bounds,
  );
  return Object.fromEntries(present.map(({ index }, i) => [index, spots[i]]));
}

/** A row shows its box when the pointer or the focus is on it. */
function BoxList({ boxes, hues, active, activate }: BoxesProps) {
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => {
    if (active === undefined || !list.current) return;
    // The list alone scrolls, not the page.
    const row = list.current.children[active] as HTMLElement | undefined;
    const { scrollTop, clientHeight } = list.current;
    if (!row) return;
    const isSeen = row.offsetTop >= scrollTop && row.offsetTop + row.offsetHeight <= scrollTop + clientHeight;
    if (!isSeen) list.current.scrollTop = row.offsetTop - clientHeight / 2;
  }, [active]);
  return (
    <ul ref={list} className="box-list small" aria-label={text.results.found}>
      {boxes.map((box, i) => (
        <li key={i}>
          <button
            type="button"
            className={i === active ? 'is-active' : ''}
            aria-pressed={i === active}
            disabled={!box}
            onMouseEnter={() => activate(i)}
            onFocus={() => activate(i)}
            onBlur={() => activate(undefined)}
            onClick={() => activate(i)}
          >
            <span className={`swatch ${hues.get(box?.label ?? '')}`} />
            <span className="label">{box ? box.label || `#${i + 1}` : text.results.noBox}</span>
            {box?.score !== undefined && <span className="value">{scoreText(box.score)}</span>}
          </button>
        </li>
      ))}
    </ul>
  );
}
