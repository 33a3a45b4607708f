import { useState } from 'react';
import { CopyButton } from '../parts/copy-button.tsx';
import { text } from '../texts/text.ts';
import { codeFor, LANGUAGES, type CallBody, type Language } from './code.ts';

/** Longer programs are cut where they are shown; Copy takes the whole. */
const SHOWN = 20_000;

export function CodeView({ call }: { readonly call: CallBody }) {
  const [language, setLanguage] = useState<Language>('curl');
  const code = codeFor(language, call);
  return (
    <div className="stack">
      <div className="row between">
        <div className="segments" role="group" aria-label={text.playground.language}>
          {LANGUAGES.map((each) => (
            <button
              key={each}
              type="button"
              aria-pressed={each === language}
              onClick={() => setLanguage(each)}
            >
              {each}
            </button>
          ))}
        </div>
        <CopyButton value={code} />
      </div>
      <pre className="code" tabIndex={0}>
        <code>{code.length > SHOWN ? `${code.slice(0, SHOWN)} …` : code}</code>
      </pre>
    </div>
  );
}
