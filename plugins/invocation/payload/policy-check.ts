import { ValidationFailed } from '../../../core/index.ts';
import type { PayloadField, PayloadPolicy, PayloadRule } from '../contract.ts';
import { faultOf } from './pointers.ts';
import { PAYLOAD_FIELDS } from './reduce.ts';
import type { PayloadPolicyChanges } from './schemas.ts';

interface Complaint {
  readonly pointer: string;
  readonly message: string;
}

/** The rules of a change, checked. Throws `ValidationFailed` with each invalid pointer; `what` begins its sentence. */
export function checkedRules(
  changes: PayloadPolicyChanges,
  { what, at } = { what: 'The payload policy', at: '/body' },
): Partial<PayloadPolicy> {
  const rules: Partial<Record<PayloadField, PayloadRule>> = {};
  const errors: Complaint[] = [];
  for (const field of PAYLOAD_FIELDS) {
    const change = changes[field];
    if (change === undefined) continue;
    const rule = { mode: change.mode, pointers: change.pointers ?? [] };
    errors.push(...faultsOf(rule, `${at}/${field}/pointers`));
    rules[field] = rule;
  }
  if (errors.length === 0) return rules;
  throw ValidationFailed(`${what} is invalid: ${errors[0]!.message}`, { errors });
}

function faultsOf({ mode, pointers }: PayloadRule, parent: string): readonly Complaint[] {
  if (mode !== 'redact' && pointers.length > 0) {
    const message = `The mode "${mode}" takes no pointers. Leave them out, or choose the mode "redact".`;
    return [{ pointer: parent, message }];
  }
  if (mode === 'redact' && pointers.length === 0) {
    const message =
      'The mode "redact" needs at least one pointer, such as "/patient/name". To keep nothing, choose the mode "drop".';
    return [{ pointer: parent, message }];
  }
  return pointers.flatMap((pointer, index) => {
    const message = faultOf(pointer);
    return message === undefined ? [] : [{ pointer: `${parent}/${index}`, message }];
  });
}
