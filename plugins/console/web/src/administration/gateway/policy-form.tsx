import { useId, useState } from 'react';
import type { components } from 'vitrine/client';
import { RadioChoice, SelectField } from '../../parts/choice.tsx';
import { DialogForm, type Change } from '../../parts/dialog-form.tsx';
import { entered } from '../../parts/plain-text.ts';
import { TextField } from '../../parts/text-field.tsx';
import { errorsOf } from '../../playground/run.ts';
import { SPANS, spanOf, type Span } from '../../texts/format.ts';
import { adminText } from '../../texts/text.ts';
import type { Policy } from './queries.ts';
import { SubjectField } from './subject-field.tsx';

const SUBJECTS = ['user', 'api_key', 'algorithm'] as const;
const RANGES = ['one', 'each'] as const;
const UNITS = Object.keys(SPANS).toReversed() as readonly Span[];
const USUAL_WINDOW_S = 60;

export type PolicyFields = components['schemas']['GatewayPolicyCreateRequest'];

/** Everything that a limit says. */
export function PolicyForm(props: {
  readonly policy?: Policy;
  readonly action: string;
  readonly change: Change<PolicyFields>;
  readonly cancel: () => void;
}) {
  const { policy, action, change, cancel } = props;
  const words = adminText.gateway;
  const [subject, setSubject] = useState(policy?.subject ?? 'user');
  const [range, setRange] = useState<(typeof RANGES)[number]>(policy?.subject_id === null ? 'each' : 'one');
  const [value, setValue] = useState(policy?.subject_id ?? undefined);
  const [isMissing, setMissing] = useState(false);
  const errors = errorsOf(change.error);
  const submit = (form: FormData): void => {
    const isOpen = range === 'one' && value === undefined;
    setMissing(isOpen);
    if (isOpen) return;
    change.mutate({
      name: entered(form, 'name').trim(),
      subject,
      subject_id: range === 'one' ? value! : null,
      ...limitsIn(form),
      enabled: form.get('enabled') === 'on',
    });
  };
  return (
    <DialogForm action={action} change={change} submit={submit} cancel={cancel}>
      <TextField
        label={words.policies.name}
        name="name"
        maxLength={200}
        autoComplete="off"
        autoFocus
        defaultValue={policy?.name}
        hint={words.policies.nameHint}
        wrong={errors.get('/body/name')}
      />
      <SelectField
        label={words.policies.for}
        name="subject"
        options={SUBJECTS}
        initial={subject}
        nameOf={(one) => words.subjects[one]}
        change={(one) => {
          setSubject(one);
          setValue(undefined);
        }}
      />
      <RadioChoice
        legend={words.policies.whom}
        options={RANGES}
        chosen={range}
        choose={setRange}
        show={(one) => (one === 'each' ? words.each[subject] : words.policies.one(subject))}
      />
      {range === 'one' && (
        <SubjectField
          subject={subject}
          value={value}
          change={(one) => (setValue(one), setMissing(false))}
          wrong={isMissing ? words.policies.choose : errors.get('/body/subject_id')}
        />
      )}
      <Limits policy={policy} isOfAlgorithms={subject === 'algorithm'} errors={errors} />
      <label className="choice">
        <input type="checkbox" name="enabled" defaultChecked={policy?.enabled ?? true} />
        <span>
          {words.policies.enabled}
          <small className="quiet">{words.policies.enabledHint}</small>
        </span>
      </label>
    </DialogForm>
  );
}

function Limits(props: {
  readonly policy: Policy | undefined;
  readonly isOfAlgorithms: boolean;
  readonly errors: ReadonlyMap<string, string>;
}) {
  const { policy, isOfAlgorithms, errors } = props;
  const words = adminText.gateway.policies;
  return (
    <>
      <TextField
        label={words.calls}
        name="limit"
        type="number"
        min={1}
        max={1_000_000_000}
        required={!isOfAlgorithms}
        defaultValue={policy?.limit ?? undefined}
        hint={isOfAlgorithms ? words.callsHint : undefined}
        wrong={errors.get('/body/limit')}
      />
      <Within seconds={policy?.window_s ?? USUAL_WINDOW_S} wrong={errors.get('/body/window_s')} />
      {isOfAlgorithms && (
        <TextField
          label={words.concurrency}
          name="concurrency"
          type="number"
          min={1}
          max={100_000}
          required={false}
          defaultValue={policy?.concurrency ?? undefined}
          hint={words.concurrencyHint}
          wrong={errors.get('/body/concurrency')}
        />
      )}
    </>
  );
}

/** A time as a number of seconds, minutes, hours or days. */
function Within({ seconds, wrong }: { readonly seconds: number; readonly wrong: string | undefined }) {
  const words = adminText.gateway.policies;
  const id = useId();
  const unit = spanOf(seconds);
  return (
    <div className="field">
      <label htmlFor={id}>{words.within}</label>
      <div className="row span">
        <input
          id={id}
          className="input"
          name="within"
          type="number"
          min={1}
          required
          defaultValue={seconds / SPANS[unit]}
          aria-invalid={wrong !== undefined}
          aria-describedby={wrong && `${id}-hint`}
        />
        <select className="select" name="unit" aria-label={words.within} defaultValue={unit}>
          {UNITS.map((each) => (
            <option key={each} value={each}>
              {words.units[each]}
            </option>
          ))}
        </select>
      </div>
      {wrong && (
        <p id={`${id}-hint`} className="wrong">
          {words.within} {wrong}
        </p>
      )}
    </div>
  );
}

function limitsIn(form: FormData): Pick<PolicyFields, 'limit' | 'window_s' | 'concurrency'> {
  const unit = UNITS.find((each) => each === form.get('unit')) ?? 'second';
  return {
    limit: numberIn(form, 'limit'),
    window_s: Number(entered(form, 'within')) * SPANS[unit],
    concurrency: numberIn(form, 'concurrency'),
  };
}

function numberIn(form: FormData, name: string): number | null {
  const typed = entered(form, name);
  return typed === '' ? null : Number(typed);
}
