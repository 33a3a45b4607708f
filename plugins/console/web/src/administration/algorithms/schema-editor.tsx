import { useMemo, useRef, useState } from 'react';
import { JsonEditor, type EditorHandle } from '../../playground/json-editor.tsx';
import { lineOf, type Finding } from '../../playground/json-places.ts';
import type { Place } from '../../playground/json-values.ts';
import { adminText, text } from '../../texts/text.ts';
import { readShape } from './version-draft.ts';

/** An editor for JSON that says what is wrong where. */
export default function SchemaEditor(props: {
  readonly label: string;
  readonly value: string;
  readonly findings: readonly Finding[];
  readonly change: (value: string) => void;
}) {
  const { label, value, findings, change } = props;
  const words = adminText.algorithms;
  const editor = useRef<EditorHandle>(null);
  const [fault, setFault] = useState<Place>();
  const isBroken = readShape(value) === undefined;
  // What the service found is of what was JSON last.
  const shown = useMemo(
    () => (isBroken ? [] : findings.map((finding) => ({ ...finding, line: lineOf(value, finding.pointer) }))),
    [isBroken, findings, value],
  );
  return (
    <div className="stack tight">
      <JsonEditor
        ref={editor}
        label={label}
        value={value}
        findings={shown}
        change={(typed, faultAt) => {
          setFault(faultAt());
          change(typed);
        }}
      />
      <div role="status" className="small">
        {isBroken && (
          <p className="wrong">
            {fault ? text.playground.brokenJsonAt(fault.line, fault.column) : words.notAnObject}
          </p>
        )}
        {shown.length > 0 && (
          <ul className="findings">
            {shown.map(({ pointer, message, line }) => (
              <li key={pointer + message}>
                <button type="button" className="button small" onClick={() => editor.current?.goTo(pointer)}>
                  {words.line(line)}
                </button>{' '}
                {pointer !== '' && <code>{pointer}</code>} {message}
              </li>
            ))}
          </ul>
        )}
      </div>
    </div>
  );
}
