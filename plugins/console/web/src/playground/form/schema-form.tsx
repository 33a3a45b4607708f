import Form from '@rjsf/core';
import { TranslatableString, type RJSFSchema } from '@rjsf/utils';
import { Component, type ReactNode } from 'react';
import { text } from '../../texts/text.ts';
import type { FieldSchema } from '../fields.ts';
import { DEFAULTS } from '../values.ts';
import { FaultsContext, RootContext } from './contexts.ts';
import type { Faults } from './checking.ts';
import { templates, widgets } from './templates.tsx';
import { formValidator } from './validator.ts';
import { fields } from './value-fields.tsx';

interface SchemaFormProps {
  /** As `drawnSchema` made it. */
  readonly schema: FieldSchema;
  /** The member of the body that is entered: `input_data` or `params`. */
  readonly name: string;
  readonly value: Record<string, unknown>;
  readonly faults: Faults;
  readonly change: (value: Record<string, unknown>) => void;
}

/** A form that is made from a schema. */
export function SchemaForm({ schema, name, value, faults, change }: SchemaFormProps) {
  return (
    <RootContext value={`/body/${name}`}>
      <FaultsContext value={faults}>
        <Form
          tagName="div"
          schema={schema as RJSFSchema}
          uiSchema={UI}
          formData={value}
          validator={formValidator}
          fields={fields}
          templates={templates}
          widgets={widgets}
          idPrefix={name}
          idSeparator="/"
          noValidate
          showErrorList={false}
          experimental_defaultFormStateBehavior={DEFAULTS}
          translateString={translate}
          onChange={({ formData }) => change((formData ?? {}) as Record<string, unknown>)}
        >
          <></>
        </Form>
      </FaultsContext>
    </RootContext>
  );
}

/** Groups that may be left out have a button, except for the whole. */
const UI = {
  'ui:globalOptions': { enableOptionalDataFieldForType: ['object' as const] },
  'ui:enableOptionalDataFieldForType': [],
};

/** The words of the library that are shown: a new text is empty, and a kind without a name has its number. */
function translate(words: TranslatableString, params: readonly string[] = []): string {
  return words === TranslatableString.NewStringDefault ? '' : text.form.option(params.at(-1) ?? '');
}

/** Shows something else where the form cannot be drawn. */
export class Undrawable extends Component<
  { readonly children: ReactNode; readonly otherwise: () => void },
  { readonly isBroken: boolean }
> {
  static getDerivedStateFromError = () => ({ isBroken: true });
  override state = { isBroken: false };
  override componentDidCatch(): void {
    this.props.otherwise();
  }
  override render(): ReactNode {
    return this.state.isBroken ? null : this.props.children;
  }
}
