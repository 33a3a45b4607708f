import type { Example } from '../api/queries.ts';
import { FormDialog } from '../parts/form-dialog.tsx';
import { entered } from '../parts/plain-text.ts';
import { SubmitButton } from '../parts/submit-button.tsx';
import { TextArea } from '../parts/text-area.tsx';
import { TextField } from '../parts/text-field.tsx';
import { text } from '../texts/text.ts';
import { Refused } from './refused.tsx';

export type ExampleAbout = Pick<Example, 'name' | 'description' | 'is_default'>;

export interface ExampleDialogProps {
  readonly title: string;
  readonly before: ExampleAbout;
  readonly isBusy: boolean;
  readonly error: unknown;
  readonly save: (about: ExampleAbout) => void;
  readonly close: () => void;
}

/** Asks what an example is called, what it shows, and whether it comes first. */
export function ExampleForm(props: ExampleDialogProps) {
  const { title, before, isBusy, error, save, close } = props;
  return (
    <FormDialog title={title} close={close}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          const form = new FormData(event.currentTarget);
          save({
            name: entered(form, 'name').trim(),
            description: entered(form, 'description').trim(),
            is_default: before.is_default || form.get('is_default') === 'on',
          });
        }}
      >
        <TextField
          label={text.examples.name}
          name="name"
          hint={text.examples.nameHint}
          defaultValue={before.name}
        />
        <TextArea label={text.examples.description} name="description" defaultValue={before.description} />
        {!before.is_default && (
          <label className="switch">
            <input type="checkbox" name="is_default" />
            {text.examples.makeDefault}
          </label>
        )}
        {error !== null && <Refused error={error} />}
        <div className="row">
          <SubmitButton isBusy={isBusy}>{text.examples.save}</SubmitButton>
          <button type="button" className="button" onClick={close}>
            {text.account.cancel}
          </button>
        </div>
      </form>
    </FormDialog>
  );
}
