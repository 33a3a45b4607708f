import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { json, jsonLanguage } from '@codemirror/lang-json';
import { bracketMatching, HighlightStyle, indentOnInput, syntaxHighlighting } from '@codemirror/language';
import { linter, lintKeymap, type Diagnostic } from '@codemirror/lint';
import { EditorState, Prec, StateEffect, StateField, type Text } from '@codemirror/state';
import { EditorView, highlightActiveLine, keymap, lineNumbers } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { useEffect, useImperativeHandle, useRef, type Ref } from 'react';
import { text } from '../texts/text.ts';
import { rangeOf, type Finding } from './json-places.ts';
import { longNumbersIn, type Place } from './json-values.ts';

/** What can be done with an editor from outside. */
export interface EditorHandle {
  /** Puts the cursor on the value that a JSON pointer names. */
  readonly goTo: (pointer: string) => void;
}

const NONE: readonly Finding[] = [];

interface EditorProps {
  readonly ref?: Ref<EditorHandle>;
  readonly value: string;
  readonly label: string;
  /** What is wrong besides the JSON, which is underlined at its places. */
  readonly findings?: readonly Finding[];
  /** Is given what finds the first place that is not JSON. */
  readonly change: (value: string, faultAt: () => Place | undefined) => void;
}

/**
 * A text editor for JSON. It lives in a shadow root, where its styles are constructed style sheets: in the document it
 * would write a `<style>` element, which the content security policy forbids.
 */
export function JsonEditor({ ref, value, label, findings = NONE, change }: EditorProps) {
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(undefined);
  const first = useRef(value);
  const told = useRef(change);
  useEffect(() => {
    told.current = change;
  }, [change]);

  useEffect(() => {
    const root = host.current!.shadowRoot ?? host.current!.attachShadow({ mode: 'open' });
    const editor = new EditorView({
      parent: root,
      root,
      state: EditorState.create({
        doc: first.current,
        extensions: [
          extensions,
          EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0' }),
          EditorView.updateListener.of((update) => {
            if (update.docChanged && !update.transactions.some((each) => each.isUserEvent(OUTSIDE)))
              told.current(update.state.doc.toString(), () => placeOfFault(update.state.doc));
          }),
        ],
      }),
    });
    view.current = editor;
    return () => {
      first.current = editor.state.doc.toString();
      editor.destroy();
    };
  }, [label]);

  useEffect(() => {
    const editor = view.current!;
    const present = editor.state.doc.toString();
    if (present === value) return;
    editor.dispatch({ changes: { from: 0, to: present.length, insert: value }, userEvent: OUTSIDE });
  }, [value]);
  useEffect(() => {
    view.current!.dispatch({ effects: setFindings.of(findings) });
  }, [findings, label]);

  useImperativeHandle(
    ref,
    () => ({
      goTo: (pointer) => {
        const editor = view.current!;
        const { from: anchor } = rangeOf(editor.state.doc.toString(), pointer);
        editor.focus();
        editor.dispatch({ selection: { anchor }, scrollIntoView: true });
      },
    }),
    [],
  );
  return <div ref={host} className="json-editor" />;
}

const setFindings = StateEffect.define<readonly Finding[]>();

const findingsField = StateField.define<readonly Finding[]>({
  create: () => NONE,
  update: (before, { effects }) =>
    effects.reduce((findings, effect) => (effect.is(setFindings) ? effect.value : findings), before),
});

function found({ state }: EditorView): Diagnostic[] {
  const json = state.doc.toString();
  return state
    .field(findingsField)
    .map(({ pointer, message }) => ({ ...rangeOf(json, pointer), severity: 'error', message }));
}

/** The name of a change that was not typed here. */
const OUTSIDE = 'outside';

function faultsOf(view: EditorView): Diagnostic[] {
  const long = longNumbersIn(view.state.doc.toString()).map(({ written, from }) => ({
    from,
    to: from + written.length,
    severity: 'error' as const,
    message: text.form.losesDigits(written),
  }));
  return [...brokenIn(view), ...long, ...found(view)];
}

function brokenIn({ state: { doc } }: EditorView): Diagnostic[] {
  // There is nothing to mark in what is empty.
  if (doc.toString().trim() === '') return [];
  try {
    JSON.parse(doc.toString());
    return [];
  } catch {
    const from = firstFault(doc) ?? 0;
    return [{ from, to: from, severity: 'error', message: text.playground.brokenJson }];
  }
}

/** Where a text stops being JSON. The messages of browsers do not all name the place. */
function firstFault(doc: Text): number | undefined {
  let found: number | undefined;
  jsonLanguage.parser.parse(doc.toString()).iterate({
    enter: ({ type, from }) => {
      if (type.isError) found ??= from;
      return found === undefined;
    },
  });
  return found;
}

function placeOfFault(doc: Text): Place | undefined {
  const at = firstFault(doc);
  if (at === undefined) return undefined;
  const { number: line, from } = doc.lineAt(at);
  return { line, column: at - from + 1 };
}

const colours = HighlightStyle.define([
  { tag: tags.propertyName, color: 'var(--hue-vision)' },
  { tag: tags.string, color: 'var(--ok)' },
  { tag: tags.number, color: 'var(--hue-ml)' },
  { tag: [tags.bool, tags.null], color: 'var(--hue-nlp)' },
]);

const theme = EditorView.theme({
  '&': {
    color: 'var(--ink)',
    backgroundColor: 'var(--card)',
    border: '1px solid var(--line-strong)',
    borderRadius: 'var(--radius-s)',
    overflow: 'hidden',
    fontSize: '0.8125rem',
    minHeight: 'var(--editor-height, 320px)',
    maxHeight: '560px',
  },
  '&.cm-focused': { outline: '2px solid var(--accent)', borderColor: 'var(--accent)' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '1.6', overflow: 'auto' },
  '.cm-content, .cm-gutter': { minHeight: 'var(--editor-height, 320px)' },
  '.cm-content': { caretColor: 'var(--ink)', padding: '10px 0' },
  '.cm-cursor': { borderLeftColor: 'var(--ink)' },
  '.cm-gutters': { color: 'var(--ink-2)', backgroundColor: 'var(--sunk)', border: '0' },
  '.cm-activeLine': { backgroundColor: 'color-mix(in srgb, var(--accent) 6%, transparent)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground, ::selection':
    {
      backgroundColor: 'color-mix(in srgb, var(--accent) 28%, transparent)',
    },
  '&.cm-focused .cm-matchingBracket': { backgroundColor: 'var(--accent-soft)', color: 'inherit' },
  '.cm-tooltip': {
    color: 'var(--ink)',
    backgroundColor: 'var(--card)',
    border: '1px solid var(--line)',
    borderRadius: 'var(--radius-s)',
    fontFamily: 'var(--font)',
  },
  '.cm-diagnostic-error': { borderLeftColor: 'var(--bad)' },
});

/** Tab leaves the editor, so that the keyboard finds the way out. Ctrl-Enter is for the page. */
const extensions = [
  Prec.highest(keymap.of([{ key: 'Mod-Enter', run: () => true }])),
  lineNumbers(),
  history(),
  json(),
  indentOnInput(),
  bracketMatching(),
  highlightActiveLine(),
  findingsField,
  linter(faultsOf, {
    delay: 400,
    needsRefresh: ({ startState, state }) => startState.field(findingsField) !== state.field(findingsField),
  }),
  syntaxHighlighting(colours),
  keymap.of([...defaultKeymap, ...historyKeymap, ...lintKeymap]),
  theme,
];
