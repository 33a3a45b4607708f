import { useId, useState, type ReactNode } from 'react';
import { showNumber, text } from '../texts/text.ts';
import { plainText } from '../parts/plain-text.ts';
import { kindOf, readFields, type Field, type FieldSchema } from './fields.ts';
import { PictureField } from './picture-field.tsx';
import { parseLines, parseNumbers, parseRows, showLines, showNumbers, showRows } from './lists.ts';

export interface FieldProps {
  readonly field: Field;
  /** The JSON pointer of the field, such as `/body/input_data/text`. */
  readonly pointer: string;
  readonly value: unknown;
  readonly errors: ReadonlyMap<string, string>;
  readonly change: (value: unknown) => void;
}

interface ControlProps {
  readonly id: string;
  readonly schema: FieldSchema;
  readonly value: unknown;
  readonly change: (value: unknown) => void;
  readonly describedBy: string | undefined;
  readonly isWrong: boolean;
  readonly isRequired: boolean;
}

/** One property of the input or one parameter, entered in the way that fits its schema. */
export function FieldView({ field, pointer, value, errors, change }: FieldProps) {
  const id = useId();
  const { name, schema, isRequired } = field;
  const kind = kindOf(schema);
  const title = schema.title ?? name;
  const fault = errorBelow(errors, pointer, kind === 'group');
  const wrong = fault && `${title} ${fault}`;
  if (kind === 'group') {
    return (
      <fieldset className="fieldset">
        <legend>{title}</legend>
        {readFields(schema).map((inner) => (
          <FieldView
            key={inner.name}
            field={inner}
            pointer={`${pointer}/${inner.name}`}
            value={(value as Record<string, unknown> | undefined)?.[inner.name]}
            errors={errors}
            change={(next) => change(withValue(value, inner.name, next))}
          />
        ))}
      </fieldset>
    );
  }
  const hint = [schema.description, hintOf(kind)].filter(Boolean).join(' ');
  const describedBy = [hint && `${id}-hint`, wrong && `${id}-wrong`].filter(Boolean).join(' ') || undefined;
  const control = controlOf({
    id,
    schema,
    value,
    change,
    describedBy,
    isWrong: wrong !== undefined,
    isRequired,
  });
  return (
    <div className="field">
      {kind === 'switch' ? (
        <label className="switch" htmlFor={id}>
          {control}
          <span>{title}</span>
        </label>
      ) : (
        <>
          <label htmlFor={id}>
            {title}
            {!isRequired && schema.default === undefined && (
              <span className="small quiet"> · {text.playground.optional}</span>
            )}
          </label>
          {control}
        </>
      )}
      {hint && (
        <p className="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {wrong && (
        <p className="wrong" id={`${id}-wrong`}>
          {wrong}
        </p>
      )}
    </div>
  );
}

/** An object without the members that were emptied: the API takes an absent member for "none". */
export function withValue(object: unknown, name: string, value: unknown): Record<string, unknown> {
  const { [name]: _, ...rest } = (object ?? {}) as Record<string, unknown>;
  return value === undefined ? rest : { ...(object as object), [name]: value };
}

function errorBelow(
  errors: ReadonlyMap<string, string>,
  pointer: string,
  isGroup: boolean,
): string | undefined {
  const own = errors.get(pointer);
  if (own || isGroup) return own;
  const below = [...errors].find(([path]) => path.startsWith(`${pointer}/`));
  return below && `${below[0].slice(pointer.length)}: ${below[1]}`;
}

function hintOf(kind: string): string | undefined {
  if (kind === 'numbers') return text.playground.numbers;
  if (kind === 'rows') return text.playground.table;
  return kind === 'lines' ? text.playground.list : undefined;
}

function controlOf(props: ControlProps): ReactNode {
  switch (kindOf(props.schema)) {
    case 'choice':
      return <Choice {...props} />;
    case 'choices':
      return <Choices {...props} />;
    case 'switch':
      return (
        <input
          id={props.id}
          type="checkbox"
          role="switch"
          checked={props.value === true}
          aria-describedby={props.describedBy}
          onChange={({ target }) => props.change(target.checked)}
        />
      );
    case 'number':
      return <NumberInput {...props} />;
    case 'picture':
      return <PictureField {...props} />;
    case 'line':
    case 'text':
      return <TextInput {...props} isLong={kindOf(props.schema) === 'text'} />;
    case 'numbers':
      return <Parsed {...props} show={showNumbers} parse={parseNumbers} />;
    case 'rows':
      return <Parsed {...props} show={showRows} parse={parseRows} />;
    case 'lines':
      return <Parsed {...props} show={showLines} parse={parseLines} />;
    case 'group':
    case 'json':
      return <Parsed {...props} show={showJson} parse={parseJson} />;
  }
}

function Choice({ id, schema, value, change, describedBy, isRequired, isWrong }: ControlProps) {
  const options = schema.enum ?? [];
  if (options.length <= 4 && value !== undefined && options.join('').length < 44) {
    return (
      <div className="segments" id={id} role="radiogroup" aria-describedby={describedBy}>
        {options.map((option) => (
          <label key={String(option)}>
            <input
              className="visually-hidden"
              type="radio"
              name={id}
              checked={value === option}
              onChange={() => change(option)}
            />
            {String(option)}
          </label>
        ))}
      </div>
    );
  }
  return (
    <select
      id={id}
      className="select"
      value={plainText(value)}
      aria-describedby={describedBy}
      aria-invalid={isWrong}
      onChange={({ target }) => change(options.find((option) => String(option) === target.value))}
    >
      {(!isRequired || value === undefined) && <option value="">{text.playground.choose}</option>}
      {options.map((option) => (
        <option key={String(option)}>{String(option)}</option>
      ))}
    </select>
  );
}

function Choices({ id, schema, value, change }: ControlProps) {
  const chosen = Array.isArray(value) ? (value as unknown[]) : [];
  const options = schema.items?.enum ?? [];
  return (
    <div className="row" id={id} role="group">
      {options.map((option) => (
        <label key={String(option)} className="row small">
          <input
            type="checkbox"
            checked={chosen.includes(option)}
            onChange={({ target }) =>
              change(target.checked ? [...chosen, option] : chosen.filter((each) => each !== option))
            }
          />
          {String(option)}
        </label>
      ))}
    </div>
  );
}

/** A slider stands beside the number where its range is short enough to aim at a value. */
function NumberInput({ id, schema, value, change, describedBy, isWrong }: ControlProps) {
  const min = schema.minimum ?? schema.min;
  const max = schema.maximum ?? schema.max;
  const isWhole = schema.type === 'integer';
  const hasSlider =
    min !== undefined && max !== undefined && (isWhole ? max - min <= 500 : max - min <= 1000);
  const step = isWhole ? 1 : stepFor(max === undefined || min === undefined ? 1 : max - min);
  const [typed, setTyped] = useState<string>();
  const set = (entered: string): void => {
    setTyped(entered);
    const number = Number(entered);
    change(entered.trim() === '' ? undefined : Number.isFinite(number) ? number : entered);
  };
  const shown =
    typed !== undefined && Number(typed) === value
      ? typed
      : String((value as number | undefined) ?? typed ?? '');
  const input = (
    <input
      id={id}
      className="input"
      type="number"
      inputMode={isWhole ? 'numeric' : 'decimal'}
      value={shown}
      min={min}
      max={max}
      step={isWhole ? 1 : 'any'}
      aria-describedby={describedBy}
      aria-invalid={isWrong}
      title={min !== undefined && max !== undefined ? `${showNumber(min)} – ${showNumber(max)}` : undefined}
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
        step={step}
        value={typeof value === 'number' ? value : min}
        aria-labelledby={id}
        aria-label={schema.title}
        tabIndex={-1}
        onChange={({ target }) => set(target.value)}
      />
      {input}
    </div>
  );
}

function stepFor(span: number): number {
  return 10 ** Math.floor(Math.log10(span / 50));
}

function TextInput({
  id,
  schema,
  value,
  change,
  describedBy,
  isWrong,
  isLong,
}: ControlProps & { readonly isLong: boolean }) {
  const shared = {
    id,
    value: typeof value === 'string' ? value : '',
    maxLength: schema.maxLength,
    'aria-describedby': describedBy,
    'aria-invalid': isWrong,
    onChange: ({ target }: { readonly target: { readonly value: string } }) =>
      change(target.value === '' ? undefined : target.value),
  };
  return isLong ? (
    <textarea {...shared} className="area" rows={6} />
  ) : (
    <input {...shared} className="input" type={schema.format === 'password' ? 'password' : 'text'} />
  );
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
  const isOwn = typed !== undefined && typed.value === value;
  const set = (entered: string): void => {
    const parsed = parse(entered);
    setTyped({ text: entered, value: parsed });
    change(parsed);
  };
  return (
    <textarea
      id={id}
      className="area mono"
      rows={5}
      spellCheck={false}
      value={isOwn ? typed.text : show(value)}
      aria-describedby={describedBy}
      aria-invalid={isWrong}
      onChange={({ target }) => set(target.value)}
    />
  );
}

function showJson(value: unknown): string {
  return typeof value === 'string' || value === undefined ? (value ?? '') : JSON.stringify(value, null, 2);
}

/** What is no JSON yet is sent as a text, which the schema then refuses with a reason. */
function parseJson(typed: string): unknown {
  if (typed.trim() === '') return undefined;
  try {
    return JSON.parse(typed) as unknown;
  } catch {
    return typed;
  }
}
