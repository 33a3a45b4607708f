import { localToUTC, utcToLocal } from '@rjsf/utils';
import { useId, useState, type ReactNode } from 'react';
import { plainText } from '../../parts/plain-text.ts';
import { showNumber, text } from '../../texts/text.ts';
import { kindOf, type FieldSchema, type Kind } from '../fields.ts';
import { PictureField } from '../picture-field.tsx';
import {
  parseJson,
  parseLines,
  parseNumbers,
  parseRows,
  readNumber,
  showJson,
  showLines,
  showNumbers,
  showRows,
} from '../lists.ts';

export interface ControlProps {
  readonly id: string;
  readonly schema: FieldSchema;
  readonly label: string;
  readonly value: unknown;
  /** `undefined` where the field was emptied. */
  readonly change: (value: unknown) => void;
  readonly describedBy: string | undefined;
  readonly isWrong: boolean;
  readonly isRequired: boolean;
}

/** What is said below a control about how to use it. */
export function usageOf(kind: Kind): string | undefined {
  if (kind === 'numbers') return text.playground.numbers;
  if (kind === 'rows') return text.playground.table;
  if (kind === 'json') return text.form.asJson;
  return kind === 'lines' ? text.playground.list : undefined;
}

/** The control with which a value is entered. */
export function controlOf(props: ControlProps): ReactNode {
  switch (kindOf(props.schema)) {
    case 'fixed':
      return <Fixed {...props} />;
    case 'choice':
      return <Choice {...props} />;
    case 'choices':
      return <Choices {...props} />;
    case 'switch':
      return <Switch {...props} />;
    case 'number':
      return <NumberInput {...props} />;
    case 'picture':
      return <PictureField {...props} />;
    case 'line':
      return <LineInput {...props} />;
    case 'text':
      return <TextArea {...props} />;
    case 'numbers':
      return <Parsed {...props} show={showNumbers} parse={parseNumbers} />;
    case 'rows':
      return <Parsed {...props} show={showRows} parse={parseRows} />;
    case 'lines':
      return <Parsed {...props} show={showLines} parse={parseLines} />;
    case 'json':
    case 'fields':
      return <Parsed {...props} show={showJson} parse={parseJson} />;
  }
}

function Fixed({ id, schema, describedBy }: ControlProps) {
  return (
    <output id={id} className="mono" aria-describedby={describedBy}>
      {plainText(schema.const ?? null)}
    </output>
  );
}

interface Option {
  readonly value: unknown;
  readonly name: string;
}

function optionsOf(schema: FieldSchema): readonly Option[] {
  if (schema.type === 'boolean') {
    return [
      { value: true, name: text.form.yes },
      { value: false, name: text.form.no },
    ];
  }
  const names = schema['x-names'];
  return (schema['x-values'] ?? []).map((value, i) => ({ value, name: names?.[i] ?? String(value) }));
}

const MOST_SEGMENTS = 4;
const LONGEST_SEGMENTS = 44;

function Choice(props: ControlProps) {
  const { id, schema, value, change, describedBy, isRequired, isWrong, label } = props;
  const options = optionsOf(schema);
  const chosen = options.findIndex((option) => option.value === value);
  const length = options.reduce((sum, { name }) => sum + name.length, 0);
  // A segment cannot be taken back, so what may stay empty is a list.
  const isNeeded = (isRequired || schema.default !== undefined) && !schema['x-nullable'];
  if (isNeeded && chosen >= 0 && options.length <= MOST_SEGMENTS && length < LONGEST_SEGMENTS) {
    return (
      <div className="segments" id={id} role="radiogroup" aria-label={label} aria-describedby={describedBy}>
        {options.map((option, i) => (
          <label key={option.name}>
            <input
              className="visually-hidden"
              type="radio"
              name={id}
              checked={i === chosen}
              onChange={() => change(option.value)}
            />
            {option.name}
          </label>
        ))}
      </div>
    );
  }
  return (
    <select
      id={id}
      className="select"
      value={chosen < 0 ? '' : chosen}
      aria-describedby={describedBy}
      aria-invalid={isWrong}
      onChange={({ target }) =>
        change(target.value === '' ? undefined : options[Number(target.value)]!.value)
      }
    >
      {(!isNeeded || chosen < 0) && (
        <option value="">{isNeeded ? text.playground.choose : text.form.none}</option>
      )}
      {options.map(({ name }, i) => (
        <option key={name} value={i}>
          {name}
        </option>
      ))}
    </select>
  );
}

function Choices({ id, schema, value, change, describedBy, label }: ControlProps) {
  const chosen = Array.isArray(value) ? (value as unknown[]) : [];
  return (
    <div className="choices" id={id} role="group" aria-label={label} aria-describedby={describedBy}>
      {optionsOf(schema.items as FieldSchema).map((option) => (
        <label key={option.name}>
          <input
            type="checkbox"
            checked={chosen.includes(option.value)}
            onChange={({ target }) =>
              change(
                target.checked ? [...chosen, option.value] : chosen.filter((each) => each !== option.value),
              )
            }
          />
          {option.name}
        </label>
      ))}
    </div>
  );
}

function Switch({ id, schema, value, change, describedBy }: ControlProps) {
  return (
    <input
      id={id}
      type="checkbox"
      role="switch"
      checked={(value ?? schema.default) === true}
      aria-describedby={describedBy}
      onChange={({ target }) => change(target.checked)}
    />
  );
}

const LONGEST_SLIDER = { integer: 500, number: 1000 };

/** A slider stands beside the number where its range is short enough to aim at a value. */
function NumberInput({ id, schema, value, change, describedBy, isWrong, label }: ControlProps) {
  const { minimum: min, maximum: max } = schema;
  const isWhole = schema.type === 'integer';
  const span = min !== undefined && max !== undefined ? max - min : undefined;
  const hasSlider = span !== undefined && span > 0 && span <= LONGEST_SLIDER[isWhole ? 'integer' : 'number'];
  const [typed, setTyped] = useState<string>();
  const set = (entered: string): void => {
    setTyped(entered);
    change(entered.trim() === '' ? undefined : readNumber(entered));
  };
  const shown = typed !== undefined && readNumber(typed) === value ? typed : plainText(value ?? undefined);
  const input = (
    <input
      id={id}
      className="input"
      type="text"
      inputMode={isWhole && (min ?? -1) >= 0 ? 'numeric' : 'decimal'}
      autoComplete="off"
      value={shown}
      placeholder={placeholderOf(schema)}
      aria-describedby={describedBy}
      aria-invalid={isWrong}
      title={span === undefined ? undefined : `${showNumber(min!)} – ${showNumber(max!)}`}
      onKeyDown={(event) => {
        const by = event.key === 'ArrowUp' ? 1 : event.key === 'ArrowDown' ? -1 : 0;
        if (by === 0 || typeof value !== 'number') return;
        event.preventDefault();
        set(String(stepped(value, by * (isWhole ? 1 : stepOf(schema)), schema)));
      }}
      onChange={({ target }) => set(target.value)}
    />
  );
  if (!hasSlider) return input;
  return (
    <div className="range">
      <input
        type="range"
        min={min}
        max={max}
        step={isWhole ? 1 : stepOf(schema)}
        value={typeof value === 'number' ? value : typeof schema.default === 'number' ? schema.default : min}
        aria-label={label}
        tabIndex={-1}
        onChange={({ target }) => set(target.value)}
      />
      {input}
    </div>
  );
}

/** About a fiftieth of the range, as a power of ten. */
function stepOf({ minimum, maximum }: FieldSchema): number {
  if (minimum === undefined || maximum === undefined || maximum <= minimum) return 0.1;
  return 10 ** Math.floor(Math.log10((maximum - minimum) / 50));
}

function stepped(
  value: number,
  step: number,
  { minimum = -Infinity, maximum = Infinity }: FieldSchema,
): number {
  const next = Number((value + step).toPrecision(12));
  return Math.min(maximum, Math.max(minimum, next));
}

function placeholderOf({ examples, default: byDefault }: FieldSchema): string | undefined {
  const shown = byDefault ?? examples?.[0];
  return typeof shown === 'string' || typeof shown === 'number' ? String(shown) : undefined;
}

const INPUT_TYPES: Readonly<Record<string, string>> = {
  date: 'date',
  'date-time': 'datetime-local',
  email: 'email',
  uri: 'url',
  url: 'url',
  password: 'password',
};

function LineInput({ id, schema, value, change, describedBy, isWrong, label }: ControlProps) {
  const { format = '' } = schema;
  const written = typeof value === 'string' ? value : plainText(value ?? undefined);
  const isMoment = format === 'date-time' && (written === '' || !Number.isNaN(Date.parse(written)));
  const length = useLength(isMoment ? '' : written, schema.maxLength, { describedBy, isWrong });
  const { shared } = length;
  if (format === 'color') {
    return (
      <div className="row">
        <input
          type="color"
          className="colour"
          aria-label={label}
          value={/^#[0-9a-f]{6}$/i.test(written) ? written : '#000000'}
          onChange={({ target }) => change(target.value)}
        />
        <input
          {...shared}
          id={id}
          className="input colour-name"
          value={written}
          placeholder={placeholderOf(schema)}
          onChange={({ target }) => change(target.value || undefined)}
        />
      </div>
    );
  }
  return (
    <>
      <input
        {...shared}
        id={id}
        className="input"
        type={format === 'date-time' && !isMoment ? 'text' : (INPUT_TYPES[format] ?? 'text')}
        step={isMoment ? 1 : undefined}
        autoComplete={format === 'password' ? 'new-password' : 'off'}
        placeholder={placeholderOf(schema)}
        value={isMoment ? utcToLocal(written) : written}
        onChange={({ target }) => change((isMoment ? localToUTC(target.value) : target.value) || undefined)}
      />
      {length.shown}
    </>
  );
}

function TextArea({ id, schema, value, change, describedBy, isWrong }: ControlProps) {
  const written = plainText(value ?? undefined);
  const length = useLength(written, schema.maxLength, { describedBy, isWrong });
  return (
    <>
      <textarea
        {...length.shared}
        id={id}
        className="area"
        rows={5}
        placeholder={placeholderOf(schema)}
        value={written}
        onChange={({ target }) => change(target.value || undefined)}
      />
      {length.shown}
    </>
  );
}

/** From which part of the longest length on it is told how long a text is. */
const NEAR = 0.9;

/**
 * How long a text is, where it is nearly or more than as long as it may be. The attribute `maxlength` is not used, since
 * a browser cuts what is pasted without a word.
 */
function useLength(
  written: string,
  most: number | undefined,
  { describedBy, isWrong }: Pick<ControlProps, 'describedBy' | 'isWrong'>,
) {
  const id = useId();
  const length = most === undefined || written.length < most * NEAR ? 0 : charactersIn(written);
  const isNear = most !== undefined && length > 0 && length >= most * NEAR;
  const isOver = isNear && length > most;
  return {
    shared: {
      'aria-describedby': [describedBy, isNear && id].filter(Boolean).join(' ') || undefined,
      'aria-invalid': isWrong || isOver,
    },
    shown: isNear && (
      <p id={id} className={isOver ? 'wrong' : 'hint'}>
        {isOver ? text.form.tooLong(length, most) : text.form.length(length, most)}
      </p>
    ),
  };
}

/** As a schema counts them: a character beyond the first 65,536 is two units of a text. */
function charactersIn(written: string): number {
  return written.length - (written.match(/[\uD800-\uDBFF][\uDC00-\uDFFF]/g)?.length ?? 0);
}

/** A value that is entered as a text; what cannot be read is kept as it was typed, and said to be wrong. */
function Parsed(
  props: ControlProps & {
    readonly show: (value: unknown) => string;
    readonly parse: (typed: string) => unknown;
  },
) {
  const { id, value, change, describedBy, isWrong, show, parse } = props;
  const [typed, setTyped] = useState<{ readonly text: string; readonly value: unknown }>();
  const isOwn = typed !== undefined && JSON.stringify(typed.value) === JSON.stringify(value);
  const set = (entered: string): void => {
    const parsed = parse(entered);
    setTyped({ text: entered, value: parsed });
    change(parsed);
  };
  const shown = isOwn ? typed.text : show(value);
  return (
    <textarea
      id={id}
      className="area mono"
      rows={Math.min(8, Math.max(2, Math.ceil(shown.length / 46), shown.split('\n').length))}
      spellCheck={false}
      value={shown}
      aria-describedby={describedBy}
      aria-invalid={isWrong}
      onChange={({ target }) => set(target.value)}
    />
  );
}
