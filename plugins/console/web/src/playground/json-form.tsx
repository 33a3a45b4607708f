import { Suspense, useEffect, useState } from 'react';
import { lazyPart } from '../part.ts';
import { Skeleton } from '../parts/states.tsx';
import { text } from '../texts/text.ts';
import { withoutUndefined, type Faults } from './form/checking.ts';
import { readValues, type Place } from './json-values.ts';
import type { Values } from './values.ts';

/** Loaded where it is used: it is as large as the rest of the playground. */
const JsonEditor = lazyPart(() => import('./json-editor.tsx'), 'JsonEditor');

interface JsonFormProps {
  readonly values: Values;
  readonly faults: Faults;
  readonly change: (values: Values) => void;
  readonly setBroken: (isBroken: boolean) => void;
}

/** Input and parameters as JSON. */
export function JsonForm({ values, faults, change, setBroken }: JsonFormProps) {
  const [typed, setTyped] = useState(() => written(values));
  const [last, setLast] = useState(values);
  const [fault, setFault] = useState<string>();
  if (last !== values) {
    // The values changed elsewhere, as with Reset.
    setLast(values);
    setTyped(written(values));
    setFault(undefined);
  }
  const isBroken = fault !== undefined;
  useEffect(() => {
    setBroken(isBroken);
    return () => setBroken(false);
  }, [isBroken, setBroken]);
  const set = (entered: string, faultAt: () => Place | undefined): void => {
    setTyped(entered);
    const read = readValues(entered, faultAt);
    setFault(read.fault);
    if (!read.values) return;
    setLast(read.values);
    change(read.values);
  };
  return (
    <div className="field" data-wrong={fault || faults.size > 0 ? true : undefined}>
      {/* Above the editor, where the bar with Run does not cover it. */}
      {fault && (
        <p className="wrong" role="status">
          {fault}
        </p>
      )}
      <Suspense fallback={<Skeleton style={{ height: 320, borderRadius: 9 }} />}>
        <JsonEditor value={typed} label={text.playground.json} change={set} />
      </Suspense>
      {!fault && faults.size > 0 && (
        <ul className="stack tight">
          {[...faults].slice(0, 20).map(([pointer, each]) => (
            <li key={pointer} className="wrong">
              <code>{pointer.replace(/^\/body/, '')}</code> {each}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

function written({ input, params }: Values): string {
  return JSON.stringify(withoutUndefined({ input_data: input, params }), null, 2);
}
