import {
  ADDITIONAL_PROPERTY_FLAG,
  canExpand,
  type ArrayFieldItemTemplateProps,
  type ArrayFieldTemplateProps,
  type CyclicSchemaExpandProps,
  type FieldTemplateProps,
  type MultiSchemaFieldTemplateProps,
  type ObjectFieldTemplateProps,
  type OptionalDataControlsTemplateProps,
  type TemplatesType,
  type WidgetProps,
} from '@rjsf/utils';
import { useContext, useEffect, useId, useRef, type ReactNode } from 'react';
import { Icon } from '../../parts/icon.tsx';
import { text } from '../../texts/text.ts';
import { orderOf, type FieldSchema, type Kind } from '../fields.ts';
import { BareContext, DescriptionContext, FaultsContext, pointerOf, RootContext } from './contexts.ts';
import { usageOf } from './controls.tsx';
import { kindOfField } from './value-fields.tsx';

/** The name of a field, its control, what it means, and what is wrong with it. */
function FieldTemplate(props: FieldTemplateProps) {
  const { id, label, required, registry, fieldPathId, children, hidden } = props;
  const schema = props.schema as FieldSchema;
  const ownId = useId();
  const isBare = useContext(BareContext);
  const root = useContext(RootContext);
  const kind = kindOfField(schema, registry);
  const fault = useFault(pointerOf(root, fieldPathId.path), kind !== 'fields');
  if (hidden) return null;
  const wrong = fault && (
    <p className="wrong" id={`${ownId}-wrong`}>
      {label} {fault}
    </p>
  );
  const isChoice = 'anyOf' in props.schema || 'oneOf' in props.schema;
  if (kind === 'fields' && !isChoice) {
    return (
      <div className="field group" data-wrong={fault ? true : undefined}>
        <Additional {...props}>{children}</Additional>
        {wrong}
      </div>
    );
  }
  const hints = [props.rawDescription, usageOf(kind)].filter(Boolean);
  const describedBy =
    [hints.length > 0 && `${ownId}-hint`, fault && `${ownId}-wrong`].filter(Boolean).join(' ') || undefined;
  const name = (
    <>
      {label}
      {!required && schema.default === undefined && kind !== 'switch' && (
        <span className="small quiet"> · {text.playground.optional}</span>
      )}
    </>
  );
  const isNamed = !isBare && !(ADDITIONAL_PROPERTY_FLAG in props.schema);
  return (
    <DescriptionContext value={{ describedBy, isWrong: fault !== undefined }}>
      <div className={isChoice ? 'field choice' : 'field'} data-wrong={fault ? true : undefined}>
        <Additional {...props}>
          <Labelled id={id} name={name} kind={kind} isNamed={isNamed}>
            {children}
          </Labelled>
        </Additional>
        {hints.length > 0 && (
          // How to enter it is in the language of the console, and what it means perhaps in another one.
          <div className="hint" id={`${ownId}-hint`}>
            {hints.map((hint) => (
              <p key={hint}>{hint}</p>
            ))}
          </div>
        )}
        {wrong}
      </div>
    </DescriptionContext>
  );
}

/** A control with its name; where the name is told elsewhere, it is there for readers of the screen only. */
function Labelled(props: {
  readonly id: string;
  readonly name: ReactNode;
  readonly kind: Kind;
  readonly isNamed: boolean;
  readonly children: ReactNode;
}) {
  const { id, name, kind, isNamed, children } = props;
  if (kind === 'switch') {
    return (
      <label className="switch" htmlFor={id}>
        {children}
        <span>{name}</span>
      </label>
    );
  }
  return (
    <>
      {kind === 'fields' ? (
        isNamed && <span className="label">{name}</span>
      ) : (
        <label htmlFor={id} className={isNamed ? undefined : 'visually-hidden'}>
          {name}
        </label>
      )}
      {children}
    </>
  );
}

/** The fault of a field. One control for a whole list has those of its items, too. */
function useFault(pointer: string, hasInner: boolean): string | undefined {
  const faults = useContext(FaultsContext);
  const own = faults.get(pointer);
  if (own || !hasInner) return own;
  const below = [...faults].find(([path]) => path.startsWith(`${pointer}/`));
  return below && `${below[0].slice(pointer.length)}: ${below[1]}`;
}

/** A member whose name is free to choose. */
function Additional(props: FieldTemplateProps) {
  const { id, label, schema, children, onKeyRenameBlur, onRemoveProperty } = props;
  if (!(ADDITIONAL_PROPERTY_FLAG in schema)) return children;
  return (
    <div className="additional">
      <input
        key={label}
        className="input"
        aria-label={text.form.memberName}
        defaultValue={label}
        id={`${id}-key`}
        onBlur={onKeyRenameBlur}
      />
      <div className="field">{children}</div>
      <IconButton icon="close" label={text.form.remove(label)} onClick={onRemoveProperty} />
    </div>
  );
}

function IconButton(props: {
  readonly icon: 'close' | 'up' | 'down';
  readonly label: string;
  readonly onClick: (event?: unknown) => void;
  readonly isDisabled?: boolean;
}) {
  return (
    <button
      type="button"
      className="button plain small icon"
      aria-label={props.label}
      // Pressed on the way to the first or the last place, it keeps the focus there.
      aria-disabled={props.isDisabled}
      onClick={() => props.isDisabled || props.onClick()}
    >
      <Icon name={props.icon} size={15} />
    </button>
  );
}

function AddButton({ onClick, name }: { readonly onClick: () => void; readonly name: string }) {
  return (
    <div>
      <button type="button" className="button small" onClick={() => onClick()}>
        + {text.form.add(name)}
      </button>
    </div>
  );
}

type Property = ObjectFieldTemplateProps['properties'][number];

/** The members of an object by their order: those of no group, the groups, and the rare ones, which fold. */
function ObjectFieldTemplate(props: ObjectFieldTemplateProps) {
  const { properties, title, description, fieldPathId, formData, onAddProperty, optionalDataControl } = props;
  const isBare = useContext(BareContext);
  const schemas = (props.schema.properties ?? {}) as Readonly<Record<string, FieldSchema>>;
  const schemaOf = ({ name }: Property): FieldSchema =>
    props.registry.schemaUtils.retrieveSchema((schemas[name] ?? {}) as object) as FieldSchema;
  const shown = properties
    .filter(({ hidden }) => !hidden)
    .map((property) => ({ property, schema: schemaOf(property) }))
    .sort((a, b) => orderOf(a.schema) - orderOf(b.schema));
  const rare = shown.filter(({ schema }) => schema['x-advanced']);
  const common = shown.filter(({ schema }) => !schema['x-advanced']);
  const groups = new Set(common.map(({ schema }) => schema['x-group']));
  const contentOf = (all: typeof shown): ReactNode =>
    all.map(({ property }) => <Member key={property.name}>{property.content}</Member>);
  const fieldsOf = (
    <BareContext value={false}>
      {[...groups].map((group) => {
        const members = common.filter(({ schema }) => schema['x-group'] === group);
        if (group === undefined) return contentOf(members);
        return (
          <fieldset key={group} className="fieldset">
            <legend>{group}</legend>
            {contentOf(members)}
          </fieldset>
        );
      })}
      {rare.length > 0 && (
        <Rare path={fieldPathId.path} names={rare.map(({ property }) => property.name)}>
          {contentOf(rare)}
        </Rare>
      )}
      {canExpand(props.schema, props.uiSchema, formData as object) && (
        <AddButton name={text.form.member} onClick={onAddProperty} />
      )}
    </BareContext>
  );
  const isRoot = fieldPathId.path.length === 0;
  if (isRoot) return <div className="stack">{fieldsOf}</div>;
  if (shown.length === 0 && !optionalDataControl && ('anyOf' in props.schema || 'oneOf' in props.schema))
    return null;
  return (
    <fieldset className={isBare ? 'inner bare' : 'inner'} id={fieldPathId.$id}>
      <legend className={isBare ? 'visually-hidden' : undefined}>{title}</legend>
      {description && <p className="hint">{description}</p>}
      {fieldsOf}
      {optionalDataControl}
    </fieldset>
  );
}

function Member({ children }: { readonly children: ReactNode }) {
  return children;
}

function Rare(props: {
  readonly path: readonly (string | number)[];
  readonly names: readonly string[];
  readonly children: ReactNode;
}) {
  const root = useContext(RootContext);
  const faults = useContext(FaultsContext);
  const pointers = props.names.map((name) => pointerOf(root, [...props.path, name]));
  const isWrong = [...faults.keys()].some((pointer) =>
    pointers.some((own) => pointer === own || pointer.startsWith(`${own}/`)),
  );
  const details = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    // A fault must be seen.
    if (isWrong && details.current) details.current.open = true;
  }, [isWrong]);
  return (
    <details ref={details}>
      <summary>{text.playground.advanced}</summary>
      <div className="stack">{props.children}</div>
    </details>
  );
}

/** A list of groups: the focus goes to an item that was added, and to the list when one was taken away. */
function ArrayFieldTemplate(props: ArrayFieldTemplateProps) {
  const { items, title, schema, canAdd, onAddClick, fieldPathId, optionalDataControl } = props;
  const isBare = useContext(BareContext);
  const list = useRef<HTMLOListElement>(null);
  const before = useRef(items.length);
  useEffect(() => {
    const change = items.length - before.current;
    before.current = items.length;
    if (
      change !== 0 &&
      !list.current?.closest('fieldset')?.contains(document.activeElement) &&
      document.activeElement !== document.body
    )
      return;
    const controls = 'input, select, textarea, button';
    if (change === 1)
      list.current?.lastElementChild?.querySelector<HTMLElement>(`.item-body :is(${controls})`)?.focus();
    if (change === -1) list.current?.closest('fieldset')?.querySelector<HTMLElement>('.add button')?.focus();
  }, [items.length]);
  return (
    <fieldset className={isBare ? 'inner bare' : 'inner'} id={fieldPathId.$id}>
      <legend className={isBare ? 'visually-hidden' : undefined}>{title}</legend>
      {schema.description && <p className="hint">{schema.description}</p>}
      <ol ref={list} className="items">
        <BareContext value={true}>{items}</BareContext>
      </ol>
      {canAdd && (
        <div className="add">
          <AddButton name={text.form.item} onClick={onAddClick} />
        </div>
      )}
      {optionalDataControl}
    </fieldset>
  );
}

function ArrayFieldItemTemplate({
  children,
  buttonsProps,
  hasToolbar,
  index,
  totalItems,
}: ArrayFieldItemTemplateProps) {
  const name = text.form.numbered(index + 1);
  const { hasMoveUp, hasMoveDown, hasRemove } = buttonsProps;
  return (
    <li className="item">
      <div className="row between item-head">
        <span className="small quiet">{name}</span>
        {hasToolbar && (
          <span className="row tight">
            {totalItems > 1 && (hasMoveUp || hasMoveDown) && (
              <>
                <IconButton
                  icon="up"
                  label={text.form.moveUp(name)}
                  isDisabled={!hasMoveUp}
                  onClick={buttonsProps.onMoveUpItem}
                />
                <IconButton
                  icon="down"
                  label={text.form.moveDown(name)}
                  isDisabled={!hasMoveDown}
                  onClick={buttonsProps.onMoveDownItem}
                />
              </>
            )}
            {hasRemove && (
              <IconButton icon="close" label={text.form.remove(name)} onClick={buttonsProps.onRemoveItem} />
            )}
          </span>
        )}
      </div>
      <div className="item-body">{children}</div>
    </li>
  );
}

function MultiSchemaFieldTemplate({ selector, optionSchemaField }: MultiSchemaFieldTemplateProps) {
  return (
    <div className="stack tight">
      {selector}
      <BareContext value={true}>{optionSchemaField}</BareContext>
    </div>
  );
}

/** Which of several schemas a value has. */
function SelectWidget({ id, value, options, onChange, label }: WidgetProps) {
  const { enumOptions = [] } = options;
  return (
    <select
      id={id}
      className="select"
      aria-label={text.form.kindOf(label)}
      value={(value as number | undefined) ?? ''}
      onChange={({ target }) => onChange(Number(target.value))}
    >
      {value === undefined && <option value="">{text.playground.choose}</option>}
      {enumOptions.map((option) => (
        <option key={String(option.value)} value={String(option.value)}>
          {option.label}
        </option>
      ))}
    </select>
  );
}

/** A group that may be left out. */
function OptionalDataControlsTemplate({
  onAddClick,
  onRemoveClick,
  label,
}: OptionalDataControlsTemplateProps) {
  if (!onAddClick && !onRemoveClick) return <em>{label}</em>;
  return (
    <div>
      <button type="button" className="button small" onClick={onAddClick ?? onRemoveClick}>
        {onAddClick ? `+ ${text.form.addGroup}` : text.form.removeGroup}
      </button>
    </div>
  );
}

function CyclicSchemaExpandTemplate({ fieldPathId, name, onExpand }: CyclicSchemaExpandProps) {
  return (
    <div>
      <button type="button" className="button small" onClick={() => onExpand(fieldPathId.$id)}>
        + {text.form.add(name)}
      </button>
    </div>
  );
}

export const templates: Partial<TemplatesType> = {
  FieldTemplate,
  ObjectFieldTemplate,
  ArrayFieldTemplate,
  ArrayFieldItemTemplate,
  MultiSchemaFieldTemplate,
  OptionalDataControlsTemplate,
  CyclicSchemaExpandTemplate,
};

export const widgets = { SelectWidget };
