import { useMemo, useState } from 'react';
import type { Version } from '../api/queries.ts';
import type { CallBody } from './code.ts';
import { checkOf, type Faults } from './form/checking.ts';
import { schemaOfParams } from './form/drawing.ts';
import { errorsOf } from './run.ts';

/** What is wrong with the values: found here before a call is made, and by the service afterwards. */
export interface Checks {
  /** By pointers such as `/body/input_data/text`. */
  readonly faults: Faults;
  /** How many times values were refused. */
  readonly attempt: number;
  /** Checks the values, and from then on with each change. */
  readonly pass: () => boolean;
  readonly clear: () => void;
}

const NONE: Faults = new Map();

export function useChecks(
  version: Pick<Version, 'input_schema' | 'params'>,
  body: CallBody,
  refused: unknown,
): Checks {
  const check = useMemo(() => {
    const checkInput = checkOf(version.input_schema);
    const checkParams = checkOf(schemaOfParams(version.params));
    return ({ input_data, params }: CallBody): Faults =>
      new Map([
        ...below('/body/input_data', checkInput(input_data)),
        ...below('/body/params', checkParams(params)),
      ]);
  }, [version]);
  const [attempt, setAttempt] = useState(0);
  const [isChecked, setChecked] = useState(false);
  const own = useMemo(() => (isChecked ? check(body) : NONE), [isChecked, check, body]);

  // What the service found is of the values that it was sent.
  const [sent, setSent] = useState<{ readonly error: unknown; readonly body: CallBody }>();
  if (refused && sent?.error !== refused) {
    setSent({ error: refused, body });
    if (errorsOf(refused).size > 0) setAttempt(attempt + 1);
  }
  const theirs = useMemo(() => errorsOf(refused), [refused]);
  const faults = own.size === 0 && sent?.error === refused && sent?.body === body ? theirs : own;
  return {
    faults,
    attempt,
    pass: () => {
      const found = check(body);
      setChecked(found.size > 0);
      if (found.size > 0) setAttempt(attempt + 1);
      return found.size === 0;
    },
    clear: () => setChecked(false),
  };
}

function below(root: string, faults: Faults): (readonly [string, string])[] {
  return [...faults].map(([pointer, fault]) => [root + pointer, fault] as const);
}
