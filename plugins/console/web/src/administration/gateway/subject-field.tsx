import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { TextField } from '../../parts/text-field.tsx';
import { adminText } from '../../texts/text.ts';
import { PickAlgorithm, PickField, PickUser } from '../pick.tsx';
import { keyQuery, keysOfQuery } from '../queries.ts';
import type { Subject } from './subjects.ts';

interface FieldProps {
  /** The id, or the network. */
  readonly value: string | undefined;
  readonly change: (value: string | undefined) => void;
  readonly wrong: string | undefined;
}

/** Chooses what a rule is about, once it is known whether that is a user, a key, an algorithm or a network. */
export function SubjectField({ subject, ...props }: FieldProps & { readonly subject: Subject }) {
  const words = adminText.gateway;
  const { value, change, wrong } = props;
  switch (subject) {
    case 'user':
      return (
        <PickField label={words.subjects.user} wrong={wrong}>
          <PickUser find={words.find.user} chosen={value} choose={change} />
        </PickField>
      );
    case 'algorithm':
      return (
        <PickField label={words.subjects.algorithm} wrong={wrong}>
          <PickAlgorithm find={words.find.algorithm} chosen={value} choose={change} />
        </PickField>
      );
    case 'api_key':
      return <KeyField {...props} />;
    case 'network':
      return (
        <TextField
          label={words.blocks.value}
          hint={words.blocks.valueHint}
          maxLength={64}
          autoComplete="off"
          spellCheck={false}
          value={value ?? ''}
          wrong={wrong}
          onChange={({ target }) => change(target.value.trim() || undefined)}
        />
      );
  }
}

/** Chooses a key by its owner. */
function KeyField({ value, change, wrong }: FieldProps) {
  const words = adminText.gateway;
  const { data: key } = useQuery({ ...keyQuery(value ?? ''), enabled: value !== undefined });
  const [chosenOwner, setOwner] = useState<string>();
  const owner = chosenOwner ?? key?.user_id;
  return (
    <PickField label={words.subjects.api_key} wrong={wrong}>
      <PickUser
        find={words.find.owner}
        chosen={owner}
        choose={(id) => {
          setOwner(id);
          change(undefined);
        }}
      />
      {owner && <KeysOf owner={owner} chosen={value} choose={change} />}
    </PickField>
  );
}

/** The active keys of an account; `none` says what it means that none is chosen. */
export function KeysOf(props: {
  readonly owner: string;
  readonly chosen: string | undefined;
  readonly choose: (id: string | undefined) => void;
  readonly none?: string;
}) {
  const { owner, chosen, choose, none = adminText.gateway.policies.choose } = props;
  const id = useId();
  const { data } = useQuery(keysOfQuery({ user_id: owner }));
  const { data: key } = useQuery({ ...keyQuery(chosen ?? ''), enabled: chosen !== undefined });
  const active = data?.rows ?? [];
  // One that has ended can still have a rule.
  const keys = key && active.every((other) => other.id !== key.id) ? [key, ...active] : active;
  return (
    <>
      <select
        className="select"
        aria-label={adminText.gateway.subjects.api_key}
        aria-describedby={data && keys.length === 0 ? id : undefined}
        value={chosen ?? ''}
        onChange={({ target }) => choose(target.value || undefined)}
      >
        <option value="">{none}</option>
        {keys.map(({ id: keyId, name, key: mask }) => (
          <option key={keyId} value={keyId}>
            {name} · {mask}
          </option>
        ))}
      </select>
      {data && keys.length === 0 && (
        <p id={id} className="hint">
          {adminText.gateway.noKeys}
        </p>
      )}
    </>
  );
}
