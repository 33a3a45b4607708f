import { useState } from 'react';
import type { components } from 'vitrine/client';
import { SelectField } from '../../parts/choice.tsx';
import { DialogForm, type Change } from '../../parts/dialog-form.tsx';
import { entered } from '../../parts/plain-text.ts';
import { TextField } from '../../parts/text-field.tsx';
import { errorsOf } from '../../playground/run.ts';
import { adminText } from '../../texts/text.ts';
import type { Block } from './queries.ts';
import { SubjectField } from './subject-field.tsx';

const SUBJECTS = ['user', 'api_key', 'algorithm', 'network'] as const;
/** Hours, or another way to say when it ends. */
const LASTS = ['1', '24', '168', 'never', 'at'] as const;
const HOUR_MS = 3_600_000;

export type BlockFields = components['schemas']['GatewayBlockCreateRequest'];

/** Everything that a block says. */
export function BlockForm(props: {
  readonly block?: Block;
  readonly action: string;
  readonly change: Change<BlockFields>;
  readonly cancel: () => void;
}) {
  const { block, action, change, cancel } = props;
  const words = adminText.gateway;
  const [subject, setSubject] = useState(block?.subject ?? 'user');
  const [value, setValue] = useState(block?.value);
  const [lasts, setLasts] = useState(block ? lastsOf(block) : '24');
  const [isMissing, setMissing] = useState(false);
  const errors = errorsOf(change.error);
  const submit = (form: FormData): void => {
    setMissing(value === undefined);
    if (value === undefined) return;
    change.mutate({
      subject,
      value,
      reason: entered(form, 'reason').trim(),
      until: endIn(form, lasts, block),
    });
  };
  return (
    <DialogForm action={action} change={change} submit={submit} cancel={cancel}>
      <SelectField
        label={words.subject}
        name="subject"
        options={SUBJECTS}
        initial={subject}
        nameOf={(one) => words.subjects[one]}
        change={(one) => {
          setSubject(one);
          setValue(undefined);
        }}
      />
      <SubjectField
        subject={subject}
        value={value}
        change={(one) => (setValue(one), setMissing(false))}
        wrong={isMissing ? words.policies.choose : errors.get('/body/value')}
      />
      <TextField
        label={words.blocks.reason}
        name="reason"
        maxLength={500}
        autoComplete="off"
        defaultValue={block?.reason}
        hint={words.blocks.reasonHint}
        wrong={errors.get('/body/reason')}
      />
      <SelectField
        label={words.blocks.ends}
        name="lasts"
        options={LASTS}
        initial={lasts}
        nameOf={(one) => words.blocks.lasts[one]}
        change={setLasts}
      />
      {lasts === 'at' && (
        <TextField
          label={words.blocks.at}
          name="until"
          type="datetime-local"
          defaultValue={block?.until ? localTime(block.until) : undefined}
          wrong={errors.get('/body/until')}
        />
      )}
    </DialogForm>
  );
}

function lastsOf({ until }: Block): (typeof LASTS)[number] {
  return until === null ? 'never' : 'at';
}

function endIn(form: FormData, lasts: (typeof LASTS)[number], block: Block | undefined): string | null {
  if (lasts === 'never') return null;
  // It may end within its minute, which the field does not tell.
  if (lasts === 'at' && block?.until && entered(form, 'until') === localTime(block.until)) return block.until;
  const at =
    lasts === 'at' ? new Date(entered(form, 'until')) : new Date(Date.now() + Number(lasts) * HOUR_MS);
  return at.toISOString();
}

/** A time as the field wants it, in the zone of the reader. */
function localTime(iso: string): string {
  const at = new Date(iso);
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
