import { useMemo, useState } from 'react';
import { ToKeys } from '../keys/to-keys.tsx';
import { CopyButton } from '../parts/copy-button.tsx';
import { Segments } from '../parts/segments.tsx';
import { text } from '../texts/text.ts';
import { download } from '../views/download.ts';
import { showBytes } from '../views/numbers.ts';
import { codeFor, LANGUAGES, type CallBody, type Language } from './code.ts';

/** The call as a program, and the files that the program reads. */
export function CodeView({ call }: { readonly call: CallBody }) {
  const [language, setLanguage] = useState<Language>('curl');
  const { code, files } = useMemo(() => codeFor(language, call), [language, call]);
  return (
    <div className="stack">
      <div className="row between">
        <Segments
          label={text.playground.language}
          options={LANGUAGES}
          chosen={language}
          choose={setLanguage}
          nameOf={String}
        />
        <CopyButton value={code} />
      </div>
      <pre className="code" tabIndex={0}>
        <code>{code}</code>
      </pre>
      <p className="small quiet">
        {text.playground.keyFrom} <ToKeys />
      </p>
      {files.length > 0 && (
        <div className="stack">
          <p className="small quiet">{text.results.codeFiles}</p>
          {files.map(({ name, type, content }) => (
            <div key={name} className="file row between">
              <p className="small">
                <code>{name}</code> <span className="quiet">{showBytes(content.length)}</span>
              </p>
              <button type="button" className="button small" onClick={() => download(name, content, type)}>
                {text.results.download}
              </button>
            </div>
          ))}
        </div>
      )}
    </div>
  );
}
