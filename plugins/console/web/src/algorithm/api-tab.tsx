import { useQuery } from '@tanstack/react-query';
import { examplesQuery, type Algorithm, type Version } from '../api/queries.ts';
import { ToKeys } from '../keys/to-keys.tsx';
import { CodeView } from '../playground/code-view.tsx';
import { chosenExample } from '../playground/examples.tsx';
import { initialValues } from '../playground/values.ts';
import { text } from '../texts/text.ts';

export function ApiTab({ algorithm, version }: { readonly algorithm: Algorithm; readonly version: Version }) {
  const { data: examples } = useQuery(examplesQuery(algorithm.id, version.id));
  const { input, params } = initialValues(version, chosenExample(examples, undefined));
  return (
    <div className="playground">
      <section className="card">
        <header>
          <h2>{text.playground.code}</h2>
          <ToKeys className="button small" />
        </header>
        <div className="body stack">
          <p className="quiet">{text.algorithm.apiIntro}</p>
          <CodeView
            call={{ algorithm_id: algorithm.id, version_id: version.id, input_data: input, params }}
          />
        </div>
      </section>
      <section className="card">
        <header>
          <h2>{text.algorithm.schemas}</h2>
        </header>
        <div className="body stack">
          <h3>{text.algorithm.input}</h3>
          <pre className="code" tabIndex={0}>
            {JSON.stringify(shortened(version.input_schema), null, 2)}
          </pre>
          <h3>{text.algorithm.parameters}</h3>
          <pre className="code" tabIndex={0}>
            {JSON.stringify(version.params, null, 2)}
          </pre>
          <h3>{text.algorithm.output}</h3>
          <pre className="code" tabIndex={0}>
            {JSON.stringify(version.output_schema, null, 2)}
          </pre>
        </div>
      </section>
    </div>
  );
}

/** Without the examples, which may hold pictures. */
function shortened(schema: Record<string, unknown>): unknown {
  return Object.fromEntries(Object.entries(schema).filter(([keyword]) => keyword !== 'examples'));
}
